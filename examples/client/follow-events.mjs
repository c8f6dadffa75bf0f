// Prints the events of all hosts, over lost connections too, until it is interrupted.
//
//   SERVER=http://localhost:8080 TOKEN=cst_… node follow-events.mjs
import { connect } from 'container-stacks-client'

const { SERVER = 'http://localhost:8080', TOKEN = '' } = process.env
// Node.js 20 has no WebSocket of its own.
const WebSocket = globalThis.WebSocket ?? (await import('ws')).WebSocket
const service = connect({ server: SERVER, token: TOKEN, WebSocket })

const interrupt = new AbortController()
process.once('SIGINT', () => interrupt.abort())

let lastId
const events = service.feed('/ws/events', {
  params: { query: {} },
  // Events since the last one: the first of them is that one again.
  resume: (last) => ('time' in last ? { since: last.time } : {}),
  signal: interrupt.signal,
})
for await (const event of events) {
  if ('gap' in event) console.log(`events were lost since ${event.gap.from}`)
  else if (event.id !== lastId) {
    lastId = event.id
    console.log(`${event.time} ${event.kind} ${event.subject?.name ?? ''}`)
  }
}
