"""Clients that leave before their answer is there: nobody works for them any longer."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from starlette.requests import Request

Result = TypeVar("Result")


class ClientLeft(Exception):
    """The client closed its connection; what was done for it was cancelled."""


async def unless_left(request: Request, work: Coroutine[Any, Any, Result]) -> Result:
    """The result of the work, which is cancelled where its client leaves. The body must have been read.

    Raises ClientLeft, and what the work raises; where the server cancels this, the work may still say why it ended.
    """
    doing = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(_left(request))
    try:
        await asyncio.wait((doing, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not doing.done():
            doing.cancel()
            await asyncio.wait((doing,))
            raise ClientLeft
        return doing.result()
    except asyncio.CancelledError:
        doing.cancel()
        return await doing
    finally:
        leaving.cancel()


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        continue
