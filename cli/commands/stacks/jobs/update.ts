import { type Call, command } from '../../../command.ts'
import { wrongUsage } from '../../../failure.ts'
import { jobFields, jobFlags, readJobFlags } from '../../../flags/job-flags.ts'
import { showJob } from '../../../output/job.ts'
import { checkHost } from '../../../resolve/host.ts'

const args = '<name> <job> [...command]'
const ownFlags = {
  ...jobFlags,
  '--service <service>': 'Run in a container of this service',
  '--default-command': 'Run the command of the service',
  '--take-over': 'Let the job act as you',
  '--disable': 'Disable its schedule',
  '--enable': 'Enable its schedule',
} as const

export default command({
  args,
  flags: ownFlags,
  verbatim: true,
  details: `
Changes a job of a stack. What is not given is kept. With another service or command, and with --take-over, the job acts
as you from then on, and one that was blocked runs again. Put flags of the client before the stack: everything after
the job belongs to the command. Needs containers:exec.`,
  examples: [
    'cli stacks jobs update --schedule "0 4 * * *" shop clean-up',
    'cli stacks jobs update shop clean-up -- npm run clean-up -- --all',
    'cli stacks jobs update --take-over shop clean-up',
  ],
  fields: { ...jobFields, service: '--service', command: '[...command]' },
  run: update,
})

type Given = Call<typeof args, typeof ownFlags>

async function update({ args: given, flags, client, print }: Given) {
  const { name, job, command: words } = given
  const change = readJobFlags(flags)
  if (flags.enable && flags.disable) throw wrongUsage('--enable and --disable: use only one')
  if (flags.defaultCommand && words.length > 0) {
    throw wrongUsage('--default-command: give no command with it')
  }
  if (flags.enable || flags.disable) change.enabled = flags.enable
  if (flags.service !== undefined) change.service = flags.service
  if (words.length > 0 || flags.defaultCommand) change.command = words.length > 0 ? words : null
  if (Object.keys(change).length === 0 && !flags.takeOver) {
    throw wrongUsage('nothing to change: give at least one flag, or a command')
  }
  const service = await client()
  await checkHost(service, name, flags.host)
  const path = { name, job }
  if (flags.takeOver) {
    const { value } = await service.get('/stacks/{name}/jobs/{job}', { path })
    change.service ??= value.service
  }
  const reply = await service.put('/stacks/{name}/jobs/{job}', { path, body: change })
  print.reply(reply, (changed) => showJob(changed, print))
}
