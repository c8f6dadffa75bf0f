import { command } from '../../../command.ts'
import { clean } from '../../../output/text.ts'
import { confirmation, yesFlag } from '../../../prompt.ts'
import { checkHost } from '../../../resolve/host.ts'

export default command({
  args: '<name> <job>',
  flags: yesFlag,
  details: '\nDeletes a job of a stack with its runs and their logs. Needs containers:exec.',
  examples: ['cli stacks jobs delete shop clean-up'],
  async run({ args: { name, job }, flags, client, print, io }) {
    const confirm = confirmation(io, flags)
    const service = await client()
    await checkHost(service, name, flags.host)
    await confirm(`Delete the job ${clean(job)} of ${clean(name)}, with its runs?`)
    const reply = await service.delete('/stacks/{name}/jobs/{job}', { path: { name, job } })
    print.reply(reply, () => print.line(`the job ${clean(job)} of ${clean(name)} is deleted`))
  },
})
