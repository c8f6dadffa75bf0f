import { type Call, command } from '../../command.ts'
import { failed } from '../../failure.ts'
import { detachFlag } from '../../flags/detach-flag.ts'
import { sayOperationStarted } from '../../follow/operation.ts'
import { startVerification, verifyBackup } from '../../follow/verify-backup.ts'
import { clean } from '../../output/text.ts'
import { bytes } from '../../output/units.ts'
import { findRun } from '../../resolve/find.ts'

const args = '<run>'
const ownFlags = detachFlag

export default command({
  args,
  flags: ownFlags,
  progress: true,
  details: `
Reads the whole backup from its target, decrypts and unpacks it, and checks every digest. Exits with 1 if anything is
wrong. \`cli backups runs\` lists the runs. An interrupt ends the waiting, not the verification.`,
  examples: ['cli backups verify 01978f00-0000-7000-8000-000000000002'],
  run: verify,
})

async function verify({
  args: { run },
  flags,
  client,
  print,
  io,
}: Call<typeof args, typeof ownFlags>) {
  const service = await client()
  const id = await findRun(service, run)
  if (flags.detach) return sayOperationStarted(await startVerification(id, service), print)
  const reply = await verifyBackup(id, { client: service, print, io })
  const { ok, problems, warnings } = reply.value
  for (const warning of warnings ?? []) print.note(`warning: ${clean(warning)}`)
  print.reply(reply, (found) => {
    if (found.ok) print.line(`the backup is intact: ${found.files} files, ${bytes(found.bytes)}`)
  })
  if (!ok) throw failed(`the backup is damaged: ${problems.map(clean).join('; ')}`)
}
