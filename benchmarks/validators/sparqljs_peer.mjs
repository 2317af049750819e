// What SPARQL.js says of each SPARQL case, as JSON lines: node sparqljs_peer.mjs CASES.jsonl, in the folder that has it.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';

const { Parser } = createRequire(`${process.cwd()}/`)('sparqljs');
for (const line of readFileSync(process.argv[2], 'utf8').split('\n').filter(Boolean)) {
  const { id, query, language } = JSON.parse(line);
  if (language !== 'sparql') continue;
  const started = process.cpuUsage();
  const found = [];
  try {
    new Parser().parse(query);
  } catch (error) {
    found.push(`Parse error: ${error.message}`);
  }
  const { user, system } = process.cpuUsage(started);
  console.log(JSON.stringify({ id, found, fixed: null, crashed: null, seconds: (user + system) / 1e6 }));
}
