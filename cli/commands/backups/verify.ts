import { type Call, command } from '../../command.ts'
import { failed } from '../../failure.ts'
import { clean } from '../../output/text.ts'
import { bytes } from '../../output/units.ts'
import { findRun } from '../../resolve/find.ts'

const args = '<run>'
/** No timeout: reading a large backup takes long. */
const timeout = 0

export default command({
  args,
  details: `
Reads the whole backup from its target, decrypts and unpacks it, and checks every digest. Exits with 1 if anything is
wrong. \`cli backups runs\` lists the runs.`,
  examples: ['cli backups verify 01978f00-0000-7000-8000-000000000002'],
  run: verify,
})

async function verify({ args: { run }, client, print }: Call<typeof args>) {
  const service = await client()
  const id = await findRun(service, run)
  const reply = await service.post('/backup-runs/{id}/verify', { path: { id }, timeout })
  const { ok, problems, warnings } = reply.value
  for (const warning of warnings ?? []) print.note(`warning: ${clean(warning)}`)
  print.reply(reply, (found) => {
    if (found.ok) print.line(`the backup is intact: ${found.files} files, ${bytes(found.bytes)}`)
  })
  if (!ok) throw failed(`the backup is damaged: ${problems.map(clean).join('; ')}`)
}
