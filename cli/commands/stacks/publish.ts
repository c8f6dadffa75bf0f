import type { Publication, PublishBody } from '../../api/types.ts'
import { type Call, command } from '../../command.ts'
import { interrupted, wrongUsage } from '../../failure.ts'
import { detachFlag } from '../../flags/detach-flag.ts'
import { withoutWaiting } from '../../follow/deploy.ts'
import { followOperation, sayOperationStarted } from '../../follow/operation.ts'
import type { Io } from '../../io.ts'
import { clean, cleanLines } from '../../output/text.ts'
import { answersYes, confirmation, yesFlag } from '../../prompt.ts'
import { checkHost } from '../../resolve/host.ts'

const ownFlags = {
  '--environment <name>': 'Publish this overlay too',
  '--with-env': 'Publish the files that env_file names too',
  '--resolve-image-digests': 'Pin each image to the digest that the host has',
  '--replace': 'Replace what another stack or program published there',
  '--dry-run': 'Send nothing, and print what would be published',
  ...detachFlag,
  ...yesFlag,
} as const

export default command({
  args: '<name> <reference>',
  flags: ownFlags,
  progress: true,
  details: `
Stores the compose files of a stack in a registry as an OCI artifact, as \`docker compose publish\` does. Others run
it with \`docker compose -f oci://<reference> up\`. Files are published as they are written, with what extends names;
variables stay expressions, and .env is not published. Asks before it publishes declarations of variables, bind
mounts or what looks like a credential. Uses the credentials that are stored for the registry. A project that another
stack or program published stays, unless --replace is given. An interrupt while it is sent ends the waiting, not the
publication. Needs stacks:deploy and registries:manage.`,
  examples: [
    'cli stacks publish shop registry.example.org/team/shop:1.0',
    'cli stacks publish shop registry.example.org/team/shop:1.0 --dry-run',
  ],
  fields: { accept: '--yes' },
  run: publish,
})

type Kind = NonNullable<PublishBody['accept']>[number]

const kinds: Record<Kind, { intro: string; question: string }> = {
  bind_mounts: {
    intro: 'bind mounts would be published (the declarations, not what is mounted):',
    question: 'Publish these bind mounts?',
  },
  sensitive: {
    intro: 'sensitive data would be published, or is in files of the stack:',
    question: 'Publish this sensitive data?',
  },
  env: {
    intro: 'declarations of variables would be published:',
    question: 'Publish these variables?',
  },
}

async function publish({
  args,
  flags,
  client,
  print,
  io,
}: Call<'<name> <reference>', typeof ownFlags>) {
  const { name, reference } = args
  if (flags.dryRun && flags.detach) throw wrongUsage('--dry-run and --detach: use only one')
  const api = await client()
  await checkHost(api, name, flags.host)
  const path = { name }
  const body: PublishBody = {
    reference,
    environment: flags.environment,
    with_env: flags.withEnv || undefined,
    resolve_image_digests: flags.resolveImageDigests || undefined,
    replace: flags.replace || undefined,
  }
  const key = '/stacks/{name}/publish'
  const preview = await api.post(key, { path, body: { ...body, dry_run: true } })
  const accept = await acceptedKinds(preview.value, flags, io)
  const { revision } = preview.value
  const send = () => api.post(key, { path, body: { ...body, accept, revision }, ...withoutWaiting })
  if (flags.detach) return sayOperationStarted(await send(), print)
  const reply = flags.dryRun
    ? preview
    : await followOperation(await send(), { client: api, print, io })
  print.reply(reply, (made) => {
    for (const { name: file, path: from, media_type: type, size } of made.files) {
      const source = from === file ? '' : ` from ${clean(from)}`
      print.line(`${clean(file)}${source} (${clean(type)}, ${size} bytes)`)
    }
    for (const warning of made.warnings) print.note(clean(warning))
    const did = made.published ? 'is published as' : 'would be published as'
    print.line(`${clean(reference)} ${did} ${clean(made.digest)}`)
  })
}

/** Returns the kinds of findings that the user accepts. Throws 130 if one is declined. */
async function acceptedKinds(
  { findings }: Publication,
  flags: { yes: boolean; withEnv: boolean },
  io: Io,
): Promise<Kind[]> {
  const accepted: Kind[] = []
  for (const [kind, { intro, question }] of Object.entries(kinds) as [
    Kind,
    (typeof kinds)[Kind],
  ][]) {
    const own = findings.filter((one) => one.kind === kind)
    if (own.length === 0 || (kind === 'env' && flags.withEnv)) continue
    io.stderr.write(`${intro}\n${own.map(lineOf).join('')}`)
    confirmation(io, flags)
    if (!flags.yes && !(await answersYes(io, question))) throw interrupted('nothing is published')
    accepted.push(kind)
  }
  return accepted
}

function lineOf({ place, what, value }: Publication['findings'][number]): string {
  const shown = value === null ? '' : `: ${cleanLines(value).trimEnd().replaceAll('\n', '\n    ')}`
  return `  ${clean(place)}: ${clean(what)}${shown}\n`
}
