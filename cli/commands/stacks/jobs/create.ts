import { type Call, command } from '../../../command.ts'
import { jobFields, jobFlags, readJobFlags } from '../../../flags/job-flags.ts'
import { showJob } from '../../../output/job.ts'
import { clean } from '../../../output/text.ts'
import { checkHost } from '../../../resolve/host.ts'

const args = '<name> <job> <service> [...command]'

export default command({
  args,
  flags: jobFlags,
  verbatim: true,
  details: `
Creates a job: a command, by default that of the service, that runs in a new container of a service of a stack, as
\`cli stacks run\` does. It acts as you: each run has the rights that your account has then. A run is skipped while the
last one goes on, and while the stack is stopped or paused. Put flags of the client before the stack: everything after
the service belongs to the command, which runs without a shell. Needs containers:exec.`,
  examples: [
    'cli stacks jobs create --schedule "30 3 * * *" --timezone Europe/Berlin shop clean-up web -- npm run clean-up',
    'cli stacks jobs create shop migrate web npm run migrate',
  ],
  fields: { ...jobFields, job: '<job>', service: '<service>', command: '[...command]' },
  run: create,
})

async function create({ args: given, flags, client, print }: Call<typeof args, typeof jobFlags>) {
  const { name, job, service: ofService } = given
  const fields = readJobFlags(flags)
  const command = given.command.length > 0 ? given.command : null
  const service = await client()
  await checkHost(service, name, flags.host)
  const body = { ...fields, job, service: ofService, command }
  const reply = await service.post('/stacks/{name}/jobs', { path: { name }, body })
  print.reply(reply, (made) => {
    showJob(made, print)
    if (made.schedule === null) {
      print.note(`next: cli stacks jobs run ${clean(name)} ${clean(made.job)}`)
    }
  })
}
