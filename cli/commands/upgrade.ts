import type { Client } from '../api/client.ts'
import type { ServiceUpgrade, UpgradeCheck } from '../api/types.ts'
import { command } from '../command.ts'
import { ApiFailure, failed, wrongUsage } from '../failure.ts'
import type { Printer } from '../output/print.ts'
import { cleanLines } from '../output/text.ts'
import { shortId } from '../output/units.ts'

export default command({
  args: '[image]',
  flags: { '--check': 'Judge the new version, and change nothing' },
  details: `
Judges an image that is to replace the running one, by its labels: whether its version may follow, whether it can read
the store, whether it converts the store, and what of the installation would get lost. The argument is an image on the
host of the service, or a version such as 0.5.0: the running image with that tag. Without one it is the name of the
running image, which \`docker load\` and \`docker pull\` give to a newer one. Exits with 1 if something is refused.
It pulls, starts and changes nothing, and then says where the commands of the upgrade are: the service cannot replace
itself. To see which stacks a new version refuses: \`cli stacks check\` of the new client. Needs service:upgrade.`,
  examples: ['cli upgrade --check', 'cli upgrade 0.5.0 --check'],
  async run({ args: { image }, flags, client, print }) {
    if (!flags.check) {
      throw wrongUsage(
        'upgrade needs --check: the service cannot replace itself',
        'docs/upgrading.md has the commands',
      )
    }
    const service = await client()
    const { value: current } = await service.get('/service/upgrade').catch(explainMissing)
    const reply = await check(service, image)
    print.reply(reply, (found) => show(found, current, print))
    if (reply.value.result === 'refused') {
      throw failed('this upgrade is refused', { hint: 'what was found says what to do' })
    }
  },
})

const check = (service: Client, named: string | undefined) =>
  service.post('/service/upgrade/check', {
    body: named !== undefined && isVersion(named) ? { version: named } : { image: named },
  })

/** An image of that name would need a tag. */
const isVersion = (text: string) => /^\d+\.\d+\.\d+(?:-[\w.-]+)?$/.test(text)

function show(found: UpgradeCheck, current: ServiceUpgrade, print: Printer): void {
  const { container, guide } = current
  print.facts({
    'running version': current.version,
    'running image': container && imageText(container.image, container.image_id),
    container: container?.name,
    'new version': found.version ?? 'unknown',
    'new image': found.image && imageText(found.image, found.image_id),
    result: resultTexts[found.result],
  })
  for (const { kind, message } of found.findings) {
    print.line(`${kind.replace('_', ' ')}: ${cleanLines(message)}`)
  }
  if (found.result === 'allowed' || found.result === 'one_way') print.note(wayOf(container, guide))
}

const imageText = (name: string, id: string | null) => `${name} (${shortId(id ?? '')})`

const resultTexts = {
  allowed: 'allowed',
  one_way: 'allowed, with no way back but the copy of the store',
  refused: 'refused',
  current: 'it runs already',
} as const satisfies Record<UpgradeCheck['result'], string>

function wayOf(container: ServiceUpgrade['container'], guide: string): string {
  const directory = container?.compose_directory
  const first = directory ? `in ${cleanLines(directory)}: docker compose up --detach; ` : ''
  return `to upgrade, make a system backup; then ${first}see ${guide}`
}

/** A service from before this endpoint answers 404. */
function explainMissing(error: unknown): never {
  if (!(error instanceof ApiFailure) || error.status !== 404) throw error
  throw failed('the service is too old to check an upgrade', {
    hint: 'docs/upgrading.md has the commands',
  })
}
