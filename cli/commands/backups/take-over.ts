import { type Call, command } from '../../command.ts'
import { clean } from '../../output/text.ts'
import { moment } from '../../output/units.ts'
import { findJob } from '../../resolve/find.ts'

const args = '<job>'

export default command({
  args,
  details: `
Saves a job, given by name or id, as it is: it acts as you from then on, and runs again if it was blocked. You need the
permissions for what it does. Look at its target and its hooks first: cli backups jobs <job>.`,
  examples: ['cli backups take-over nightly'],
  run: takeOver,
})

async function takeOver({ args: { job }, client, print }: Call<typeof args>) {
  const service = await client()
  const { id, sources } = await findJob(service, job)
  print.reply(
    await service.put('/backup-jobs/{id}', { path: { id }, body: { sources } }),
    ({ name, next_run_at }) => {
      print.line(`${clean(name)} acts as you`)
      print.note(`  next run: ${moment(next_run_at) ?? 'not scheduled'}`)
    },
  )
}
