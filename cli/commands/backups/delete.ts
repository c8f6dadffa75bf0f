import { command } from '../../command.ts'
import { findJob } from '../../find-job.ts'
import { path } from '../../http.ts'
import { clean } from '../../text.ts'

export default command({
  args: '<job>',
  details: '\nIts backups are kept and can still be restored.',
  async run({ args, client, print }) {
    const service = await client()
    const { id, name } = (await findJob(service, args.job)).value
    const reply = await service.delete(path`/backup-jobs/${id}`)
    print.reply(reply, () => print.line(`${clean(name)} is deleted, its backups are kept`))
  },
})
