import { type Call, command } from '../../command.ts'
import { path } from '../../http.ts'
import type { CreatedHost, Enrolment, Host } from '../../records.ts'
import { clean } from '../../text.ts'
import { moment } from '../../units.ts'

const ownFlags = {
  '--tag <...tag>': 'A tag of the host; repeatable',
} as const

export default command({
  args: '<name>',
  flags: ownFlags,
  details: `
Prints one command on standard output. Run it as root on that machine to install and enrol the agent. The agent dials
out, so no port has to be opened there. If a host with that name exists, its agent is re-enrolled.`,
  examples: ['cli hosts enrol nas --tag home'],
  run: enrol,
})

async function enrol({ args, flags, client, print }: Call<'<name>', typeof ownFlags>) {
  const service = await client()
  const hosts = (await service.get<Host[]>('/hosts')).value
  const name = args.name.toLowerCase()
  const known = hosts.find((host) => host.kind === 'agent' && host.name.toLowerCase() === name)
  const show = (enrolment: Enrolment) => {
    print.line(clean(enrolment.command))
    if (enrolment.warning) print.note(`warning: ${clean(enrolment.warning)}`)
    print.note(`run it as root on ${clean(args.name)} until ${moment(enrolment.expires_at)}`)
  }
  if (known) {
    const reply = await service.post<Enrolment>(path`/hosts/${known.id}/enrolment`)
    return print.reply(reply, show)
  }
  const body = { name: args.name, tags: flags.tag }
  const reply = await service.post<CreatedHost>('/hosts', { body })
  print.reply(reply, (made) => show(made.enrolment))
}
