import { type Call, command } from '../../command.ts'
import { failed } from '../../failure.ts'
import { path } from '../../http.ts'
import type { BackupVerdict } from '../../records.ts'
import { clean } from '../../text.ts'
import { bytes } from '../../units.ts'

const args = '<run>'
/** No timeout: reading a large backup takes long. */
const patience = 0

export default command({
  args,
  details: `
Reads all of it from where it is kept, decrypts and unpacks it, and compares every digest. That takes as long as reading
it. Ends with 1 when anything is wrong. \`cli backups runs\` lists the runs.`,
  examples: ['cli backups verify 01978f00-0000-7000-8000-000000000002'],
  run: verify,
})

async function verify({ args: { run }, client, print }: Call<typeof args>) {
  const service = await client()
  const reply = await service.post<BackupVerdict>(path`/backup-runs/${run}/verify`, { patience })
  const { ok, problems } = reply.value
  print.reply(reply, (found) => {
    if (found.ok) print.line(`it is whole: ${found.files} files, ${bytes(found.bytes)}`)
  })
  if (!ok) throw failed(`the backup is not whole: ${problems.map(clean).join('; ')}`)
}
