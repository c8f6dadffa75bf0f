import { type Call, command } from '../../command.ts'
import { wrongUsage } from '../../failure.ts'
import { providerFields, providerFlags, readProviderFlags } from '../../flags/provider-flags.ts'
import { clean } from '../../output/text.ts'
import { openSecrets } from '../../prompt.ts'
import { findProvider } from '../../resolve/find.ts'

const ownFlags = {
  ...providerFlags,
  '--name <name>': 'The name on the button of the provider; its id stays',
  '--secret': 'Set a new client secret; you are asked for it',
} as const

export default command({
  args: '<provider>',
  flags: ownFlags,
  details: `
Updates a provider, given by name or id. Settings without a flag are kept; --map and --scope replace all of theirs.
Another issuer needs --secret: the stored one is never sent to it.`,
  examples: ['cli providers update keycloak --default-role ""'],
  fields: { ...providerFields, name: '--name', client_secret: '--secret' },
  run: update,
})

async function update({ args, flags, client, print, io }: Call<'<provider>', typeof ownFlags>) {
  const given = readProviderFlags(flags)
  if (flags.name !== undefined) given.name = flags.name
  if (Object.keys(given).length === 0 && !flags.secret)
    throw wrongUsage('nothing to change: give at least one flag')
  const service = await client()
  const { id } = await findProvider(service, args.provider)
  if (flags.secret) given.client_secret = await openSecrets(io).next('Client secret')
  const reply = await service.put('/oidc-providers/{id}', { path: { id }, body: given })
  print.reply(reply, (provider) => print.line(`${clean(provider.name)} is updated`))
}
