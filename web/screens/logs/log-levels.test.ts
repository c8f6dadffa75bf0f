import { expect, test } from 'vitest'
import fc from '../../../local/harness/properties.ts'
import { levelOf } from './log-levels.ts'

test.each([
  ['{"level":"error","msg":"no disk"}', 'error'],
  ['{"msg":"a level: \\"x\\"","level": 30}', 'info'],
  ['{"level":50,"time":1,"msg":"pino"}', 'error'],
  ['{"version":"1.1","level":4}', 'warn'],
  ['{"@t":"2026-11-29T10:00:00Z","@l":"Warning","@mt":"x"}', 'warn'],
  ['{"t":{"$date":"2026-11-29T10:00:00.000+00:00"},"s":"E",  "c":"NETWORK"}', 'error'],
  ['{"msg":"no level"}', undefined],
  ['time="2026-11-29T10:00:00Z" level=warning msg="the level=error is text"', 'warn'],
  ['ts=1 caller=main.go:1 level=debug msg=x', 'debug'],
  ['2026/11/29 10:00:00 [error] 29#29: *1 open() failed', 'error'],
  ['2026/11/29 10:00:00 [warn] conflicting server name', 'warn'],
  ['2026-11-29T10:00:00Z 0 [Warning] [MY-010068] CA certificate is self signed', 'warn'],
  ['[10:00:00] [Server thread/INFO]: Done (3.1s)!', 'info'],
  ['[10:00:00 ERR] Failed', 'error'],
  ['2026-11-29T10:00:00Z INF starting port=80', 'info'],
  ['\u001b[90m10:00AM\u001b[0m \u001b[31mERR\u001b[0m no route', 'error'],
  ['2026-11-29 10:00:00.123 WARNING (MainThread) [homeassistant.core] slow', 'warn'],
  ['2026-11-29 10:00:00.123 UTC [1] FATAL:  role "x" does not exist', 'error'],
  ['2026-11-29 10:00:00.123 UTC [1] LOG:  database system is ready', 'info'],
  ['ERROR:root:it broke', 'error'],
  ['INFO:     127.0.0.1:5000 - "GET / HTTP/1.1" 500', 'info'],
  ['fail: Microsoft.Hosting[0]', 'error'],
  ['warn: deprecated', 'warn'],
  ['E1129 10:00:00.123456       1 main.go:1] no leader', 'error'],
  ['I1129 10:00:00.123456       1 main.go:1] ERROR in a text', 'info'],
  ['1:M 29 Nov 2026 10:00:00.000 # Memory overcommit must be enabled', 'warn'],
  ['1:M 29 Nov 2026 10:00:00.000 * Ready to accept connections', 'info'],
  ['<3>kernel: no space left', 'error'],
  ['192.168.1.1 - - [29/Nov/2026:10:00:00 +0000] "GET /error HTTP/1.1" 200 12', undefined],
  ['Listening on port 80, no errors so far', undefined],
  ['GET /item/30 200', undefined],
  ['', undefined],
])('%s: %s', (text, level) => {
  expect(levelOf(text)).toBe(level)
})

test('any text has a level or none, in little time', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 300 }), (text) => {
      expect(['error', 'warn', 'info', 'debug', undefined]).toContain(levelOf(text))
    }),
  )
  expect(levelOf(`${'[('.repeat(1_000_000)}`)).toBeUndefined()
})
