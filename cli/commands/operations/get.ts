import type { Operation } from '../../api/types.ts'
import { command } from '../../command.ts'
import type { Printer } from '../../output/print.ts'
import { isRecord } from '../../output/rows.ts'
import { moment, tookOf } from '../../output/units.ts'
import { findOperation } from '../../resolve/find.ts'

export default command({
  args: '<operation>',
  details:
    '\nShows an operation, given by id or its beginning, and its result once it has succeeded. `--output json` has all of it.',
  examples: ['cli operations get 01978f00'],
  fields: { id: '<operation>' },
  async run({ args: { operation }, client, print }) {
    const service = await client()
    const id = await findOperation(service, operation)
    print.reply(await service.get('/operations/{id}', { path: { id } }), (found) =>
      showOperation(found, print),
    )
  },
})

/** Prints an operation and its result. */
export function showOperation(one: Operation, print: Printer): void {
  print.facts({
    id: one.id,
    kind: one.kind,
    subject: one.subject.name,
    host: one.host_name,
    status: one.status,
    error: one.error ?? undefined,
    started: moment(one.started_at),
    took: tookOf(one),
    by: one.by,
  })
  if (one.result === null) return
  print.line('')
  print.facts(
    Object.fromEntries(Object.entries(one.result).map(([name, value]) => [name, textOf(value)])),
  )
}

/** Returns a value of a result in a line. A list of things is only counted. */
function textOf(value: unknown): string {
  if (!Array.isArray(value)) return isRecord(value) ? JSON.stringify(value) : String(value ?? '-')
  return value.some(isRecord) ? String(value.length) : value.join(', ') || '-'
}
