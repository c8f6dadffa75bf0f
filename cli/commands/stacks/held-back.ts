import type { Client } from '../../api/client.ts'
import { type Call, command } from '../../command.ts'
import type { Printer } from '../../output/print.ts'
import { clean } from '../../output/text.ts'
import { moment, shortId } from '../../output/units.ts'
import { idsOf, one } from '../../resolve/find.ts'
import { checkHost } from '../../resolve/host.ts'

const args = '<name>'
const flags = {
  '--allow <digest>': 'Allow updates to apply the image with this digest, or its beginning, again',
} as const

export default command({
  args,
  nameFromFolder: true,
  flags,
  list: true,
  details: `
Lists the images that were bad in an update of a stack, the newest first: BEFORE is the image that ran before the
update. The service deploys that one again, and no update applies a bad one again. A newer image of the same tag is
another image, and is applied. --output json also has the last lines of the log of the service. With --allow, which
needs stacks:deploy, updates may apply an image again, in the next window of the policy. To apply it now without a
watch: \`cli updates --apply <stack>\`.`,
  examples: ['cli stacks held-back shop', 'cli stacks held-back shop --allow 5e1d2f3a4b5c'],
  fields: { digest: '--allow' },
  run: heldBack,
})

async function heldBack({
  args: { name },
  flags: { allow, host },
  client,
  print,
}: Call<typeof args, typeof flags>) {
  const service = await client()
  await checkHost(service, name, host)
  if (allow !== undefined) return allowOne(service, name, allow, print)
  const reply = await service.get('/stacks/{name}/held-back-images', { path: { name } })
  print.reply(reply, (found) =>
    print.table(found, [
      { head: 'SERVICE', text: (image) => image.service },
      { head: 'IMAGE', text: (image) => image.image },
      { head: 'DIGEST', text: (image) => shortId(image.digest) },
      { head: 'BEFORE', text: (image) => shortId(image.before) },
      { head: 'SINCE', text: (image) => moment(image.at) },
      { head: 'REASON', text: (image) => image.reason, fold: 1 },
    ]),
  )
}

async function allowOne(service: Client, name: string, text: string, print: Printer) {
  const { value } = await service.get('/stacks/{name}/held-back-images', { path: { name } })
  const digits = new Set(value.map(({ digest }) => digest.replace(/^sha256:/, '')))
  const ids = idsOf([...digits].map((id) => ({ id })))
  const { id } = one('held-back image', text.replace(/^sha256:/, ''), ids)
  const path = { name, digest: `sha256:${id}` }
  const reply = await service.delete('/stacks/{name}/held-back-images/{digest}', { path })
  print.reply(reply, () => print.line(`updates of ${clean(name)} may apply ${shortId(id)} again`))
}
