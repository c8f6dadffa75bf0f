import type { Enrolment } from '../../api/types.ts'
import { type Call, command } from '../../command.ts'
import { failed } from '../../failure.ts'
import { clean } from '../../output/text.ts'
import { moment } from '../../output/units.ts'

const ownFlags = {
  '--tag <...tag>': 'A tag of the host; repeatable',
  '--replace': 'Re-enrol a host although its agent is connected',
} as const

export default command({
  args: '<name>',
  flags: ownFlags,
  details: `
Prints a command on standard output that installs and enrols the agent. Run it as root on the new host, which needs
Node.js. Two other commands, on standard error, need no Node.js: one for the package or executable of the agent, one
for the image. The agent connects to the service, so the host needs no open port. If a host with that name exists, its
agent is re-enrolled. That needs stacks:privileged, and --replace while the agent is connected. The service must know
the address at which hosts reach it: see SERVICE_BASE_URL.`,
  examples: ['cli hosts enrol nas --tag home'],
  run: enrol,
})

async function enrol({ args, flags, client, print }: Call<'<name>', typeof ownFlags>) {
  const service = await client()
  const hosts = (await service.get('/hosts')).value
  const name = args.name.toLowerCase()
  const known = hosts.find((host) => host.kind === 'agent' && host.name.toLowerCase() === name)
  const show = (enrolment: Enrolment) => {
    if (enrolment.problem) throw unusable(enrolment.problem, args.name)
    print.line(clean(enrolment.command))
    if (enrolment.warning) print.note(`warning: ${clean(enrolment.warning)}`)
    print.note(`run it as root on ${clean(args.name)} until ${moment(enrolment.expires_at)}`)
    if (!enrolment.program_command) return
    print.note(`without Node.js there, with the package or executable of the agent:`)
    print.note(`  ${clean(enrolment.program_command)}`)
    print.note('or with the image of the service:')
    print.note(`  ${clean(enrolment.container_command)}`)
  }
  if (known) {
    const reply = await service.post('/hosts/{id}/enrolment', {
      path: { id: known.id },
      query: { replace: flags.replace },
    })
    return print.reply(reply, show)
  }
  const body = { name: args.name, tags: flags.tag }
  const reply = await service.post('/hosts', { body })
  print.reply(reply, (made) => show(made.enrolment))
}

/** Returns the failure for a command that cannot work. The host exists, and waits for its agent. */
const unusable = (problem: string, name: string) =>
  failed(`${name} is saved, but its agent cannot be installed yet: ${problem}`, {
    hint: `then run: cli hosts enrol ${JSON.stringify(name)}`,
  })
