import type { AuditVerdict } from '../../api/types.ts'
import { type Call, command } from '../../command.ts'
import { failed } from '../../failure.ts'
import { moment } from '../../output/units.ts'

export default command({
  details:
    '\nReads every audit row. Exits with 1 if a row was changed, removed, inserted or replaced.',
  run: verify,
})

async function verify({ client, print }: Call) {
  const service = await client()
  const reply = await service.get('/audit/verify', { timeout: 0 })
  const { ok, rows, problems, checkpoint } = reply.value
  print.reply(reply, () => {
    for (const one of problems) print.line(textOf(one))
    if (checkpoint) {
      print.line(`rows up to ${checkpoint.sequence} were removed at ${moment(checkpoint.time)}`)
    }
    if (ok) print.line(`${rows} audit rows verified`)
  })
  if (!ok) throw failed('the audit rows were tampered with')
}

function textOf({ kind, from, to }: AuditVerdict['problems'][number]): string {
  return `${from === to ? `row ${from}` : `rows ${from} to ${to}`}: ${kind}`
}
