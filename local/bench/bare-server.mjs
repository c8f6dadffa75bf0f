// The minimal HTTP server in Node: serializes the object of the path to JSON for each request. The
// optional third argument makes it spin for that many microseconds first.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const [, , file = '', port, spin = '0'] = process.argv
const objects = new Map(Object.entries(JSON.parse(readFileSync(file, 'utf8'))))

createServer((request, response) => {
  const end = performance.now() + Number(spin) / 1000
  while (performance.now() < end);
  const object = objects.get(request.url ?? '')
  response.statusCode = object ? 200 : 404
  response.setHeader('Content-Type', 'application/json')
  response.end(JSON.stringify(object ?? {}))
}).listen(Number(port), '127.0.0.1')
