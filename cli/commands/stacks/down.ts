import { command } from '../../command.ts'
import { choiceOf } from '../../flags/choice.ts'
import { detachFlag } from '../../flags/detach-flag.ts'
import { eitherOf } from '../../flags/either-of.ts'
import { timeoutFlag, timeoutOf } from '../../flags/timeout-flag.ts'
import { showDeployment, withoutWaiting } from '../../follow/deploy.ts'
import { clean } from '../../output/text.ts'
import { confirmation } from '../../prompt.ts'
import { checkHost } from '../../resolve/host.ts'
import { stackDataText } from '../../resolve/volume-sizes.ts'

export default command({
  args: '<name>',
  nameFromFolder: true,
  flags: {
    '--volumes': 'Also remove its volumes, with their data',
    '--images <which>':
      'Also remove images: local (those it built, without a name in the file) or all',
    '--rmi <which>': 'The same as --images',
    ...timeoutFlag,
    ...detachFlag,
    '--yes': 'Do not ask; required with --volumes or --images if standard input is not a terminal',
  },
  progress: true,
  details: `
Removes the containers and networks of a stack. Its files stay with the service, so that \`cli stacks deploy\` brings it
up again. Volumes and images that other stacks use stay, with a warning. With --volumes and --images it asks first.`,
  examples: ['cli stacks down shop', 'cli stacks down shop --volumes --images local'],
  fields: { timeout_seconds: '--timeout' },
  async run({ args: { name }, flags, client, print, io }) {
    const given = eitherOf({ '--images': flags.images, '--rmi': flags.rmi })
    const images = choiceOf('--images', given, ['none', 'local', 'all'])
    const body = { volumes: flags.volumes || undefined, images, timeout_seconds: timeoutOf(flags) }
    const yes = flags.yes || (!flags.volumes && (images ?? 'none') === 'none')
    const confirm = confirmation(io, { yes })
    const service = await client()
    await checkHost(service, name, flags.host)
    const data = flags.volumes && !yes ? await stackDataText(service, name) : ''
    const lost = [
      ...(flags.volumes ? [`the data in its volumes${data}`] : []),
      ...(images === 'all' ? ['all images'] : images === 'local' ? ['the images it built'] : []),
    ]
    await confirm(`Take ${clean(name)} down and remove ${lost.join(' and ')}?`)
    const options = { path: { name }, body, ...withoutWaiting }
    const started = await service.post('/stacks/{name}/down', options)
    const { detach } = flags
    await showDeployment(started, { client: service, print, io, detach })
  },
})
