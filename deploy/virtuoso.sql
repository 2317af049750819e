DB.DBA.TTLP_MT(file_to_string_output('/graph/graph.nt'), '', 'urn:graph', 0, 2);
checkpoint;
