"""UQ69x: language models, their servers and what they answer."""

from __future__ import annotations

from typing import Final

from uniqgen_ir.ir.codes.base import Code

FAMILY: Final[tuple[Code, ...]] = (
    Code(
        "UQ690",
        "model_unavailable",
        "the model cannot be reached",
        "The server of the model cannot be reached, did not answer in time, or failed again and again. The message "
        "gives its address and its last words.",
        "Without the model there is no reading of the question; the offline agent is not put in its place in silence.",
        "OPENAI_BASE_URL=http://127.0.0.1:9/v1 uniqgen ask QUESTION --graph almanac --model m",
        "Start the server or mend OPENAI_BASE_URL; `uniqgen ask` without `--model` needs no server.",
    ),
    Code(
        "UQ691",
        "model_request_refused",
        "the server refuses the request",
        "The server answers that the key, the name of the model or the request itself is wrong.",
        "Asking again would bring the same answer, so it is not done.",
        "uniqgen ask QUESTION --graph almanac --model gtp-4o",
        "uniqgen ask QUESTION --graph almanac --model gpt-4o",
    ),
    Code(
        "UQ692",
        "model_budget_spent",
        "the budget for the model is spent",
        "The next request would exceed the calls, tokens or seconds that one question may spend.",
        "A question that costs without bound is worse than one that is not answered.",
        "uniqgen ask QUESTION --graph almanac --model m --model-budget calls=1",
        "uniqgen ask QUESTION --graph almanac --model m --model-budget calls=20,tokens=50000,seconds=120",
    ),
    Code(
        "UQ693",
        "model_answer_unusable",
        "the model's answer cannot be used",
        "The model was shown what is wrong with its answer, and its second answer is wrong, too.",
        "Guessing what it meant could bring in things that the graph does not have.",
        '{"city": "Tokyo"}        # where a1 and a2 were the choices',
        "A larger model, or a server that holds it to a JSON schema.",
    ),
    Code(
        "UQ694",
        "model_declined",
        "the model declines to answer",
        "The model, or a filter of its server, refuses the question.",
        "A refusal is neither an answer nor a sign that there is none.",
        "I'm sorry, but I cannot help with that.",
        "Ask another model, or leave `--model` out.",
    ),
    Code(
        "UQ695",
        "no_model_server",
        "no model server is set up",
        "The environment names neither a server (OPENAI_BASE_URL) nor a key (OPENAI_API_KEY), or an address that is none.",
        "A model is only asked where you say which one and where it is.",
        "uniqgen ask QUESTION --graph almanac --model m",
        "OPENAI_BASE_URL=http://127.0.0.1:8080/v1 uniqgen ask QUESTION --graph almanac --model m",
    ),
    Code(
        "UQ696",
        "call_not_recorded",
        "the file of recorded calls does not hold this call",
        "With `--replay` nothing is sent; the file has no call with the same model and messages, or a line that is none.",
        "An answer to other messages would be an answer to another question.",
        "uniqgen ask 'Another question' --graph almanac --model m --replay calls.jsonl",
        "uniqgen ask 'Another question' --graph almanac --model m --record calls.jsonl",
    ),
    Code(
        "UQ697",
        "model_finds_nothing",
        "the model says that the graph cannot answer",
        "Among what the graph holds near the names of the question, the model found nothing that answers it; the "
        "message repeats what it misses, in its words.",
        "It only sees a part of the graph: the relations that fit its budget, best ones first.",
        'uniqgen ask "Who plays the drums in Lake Placid?" --graph almanac --model m',
        "Add a synonym to the lexicon, or raise `--context`.",
    ),
    Code(
        "UQ698",
        "model_cannot_tell",
        "the model does not vouch for any answer",
        "The model could not tell which of the candidates are right, so there are no reference answers.",
        "Without reference answers the tightest table that has answers is kept: nothing tests its rows.",
        'uniqgen ask "Which drugs treat tetany?" --graph almanac --model m',
        "Give answers that you know with `--oracle FILE`.",
    ),
    Code(
        "UQ699",
        "prompt_template",
        "a template of a prompt is broken",
        "A file in the folder of `--prompts` has a name that no prompt has, is not a Jinja template, or uses a name "
        "that it is not given.",
        "A prompt with a hole in it would be answered all the same.",
        "prompts/extract.j2:  {{ qestion }}",
        "prompts/extract.j2:  {{ question }}",
    ),
)
