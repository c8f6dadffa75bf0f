import { type Call, command } from '../../../command.ts'
import { detachFlag, isDetached } from '../../../flags/detach-flag.ts'
import { requireGoodRun, showRun } from '../../../output/job.ts'
import { clean } from '../../../output/text.ts'
import { checkHost } from '../../../resolve/host.ts'

const args = '<name> <job>'

export default command({
  args,
  flags: detachFlag,
  details: `
Runs a job of a stack now, waits for its end and prints the end of its log. Exits with 1 if it failed. An interrupt ends
the waiting, not the run. It waits while an operation of the stack runs. You need the rights to \`cli stacks run\` for
the service, but the job acts as the account that saved it.`,
  examples: ['cli stacks jobs run shop clean-up'],
  run,
})

async function run({
  args: { name, job },
  flags,
  client,
  print,
}: Call<typeof args, typeof detachFlag>) {
  const service = await client()
  await checkHost(service, name, flags.host)
  const path = { name, job }
  const query = { wait: !isDetached(flags) }
  const reply = await service.post('/stacks/{name}/jobs/{job}/run', { path, query, timeout: 0 })
  const { status } = reply.value
  if (status === 'running') {
    print.reply(reply, ({ id }) =>
      print.line(`started: cli stacks jobs runs ${clean(name)} ${clean(job)} ${clean(id)}`),
    )
    return
  }
  print.reply(reply, (ended) => showRun(ended, print))
  requireGoodRun(reply.value, job)
}
