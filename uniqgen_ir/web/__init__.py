"""The HTTP service and the playground: a face of `uniqgen_ir.service`."""
