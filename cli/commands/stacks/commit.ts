import { command } from '../../command.ts'
import { wrongUsage } from '../../failure.ts'
import { clean } from '../../output/text.ts'
import { checkHost } from '../../resolve/host.ts'

export default command({
  args: '<name> <service> <image>',
  flags: {
    '--index <number>': 'The number of the container; defaults to the lowest',
    '-a, --author <author>': 'The author of the image',
    '-m, --message <message>': 'A message for the history of the image',
    '-c, --change <...instruction>': 'Change the configuration, such as "ENV DEBUG=true"',
    '--no-pause': 'Do not pause the container meanwhile',
  },
  details: `
Saves the files of a container of a service as an image on its host, without its volumes. The image has whatever the
container has, secrets included. Its name belongs to the stack. Needs stacks:deploy and containers:exec.`,
  examples: ['cli stacks commit shop web shop-web:before-upgrade'],
  fields: { number: '--index', changes: '--change', pause: '--no-pause' },
  async run({ args: { name, service, image }, flags, client, print }) {
    const api = await client()
    await checkHost(api, name, flags.host)
    const body = {
      image,
      number: flags.index === undefined ? undefined : numberOf(flags.index),
      author: flags.author,
      message: flags.message,
      changes: flags.change.length > 0 ? [...flags.change] : undefined,
      pause: flags.noPause ? false : undefined,
    }
    const path = { name, service }
    const key = '/stacks/{name}/services/{service}/commit'
    const reply = await api.post(key, { path, body, timeout: 0 })
    print.reply(reply, (made) => print.line(`${clean(made.image)} is ${clean(made.id)}`))
  },
})

function numberOf(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  throw wrongUsage(`--index ${clean(text)}: must be a number, 1 or more`)
}
