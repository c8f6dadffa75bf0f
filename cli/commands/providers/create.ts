import { type Call, command } from '../../command.ts'
import { wrongUsage } from '../../failure.ts'
import { providerFields, providerFlags, readProviderFlags } from '../../flags/provider-flags.ts'
import { clean } from '../../output/text.ts'
import { openSecrets } from '../../prompt.ts'

export default command({
  args: '<name>',
  flags: providerFlags,
  details: `
The client asks for the secret of the service at the provider; if standard input is not a terminal, its first line is
used. Register the printed address at the provider. A user needs a role from --map or --default-role to sign in.`,
  examples: [
    'cli providers create Main --issuer-url https://login.example.org --client-id stacks --map ops=admin',
  ],
  fields: providerFields,
  run: create,
})

async function create({ args, flags, client, print, io }: Call<'<name>', typeof providerFlags>) {
  const { issuer_url, client_id, ...given } = readProviderFlags(flags)
  if (issuer_url === undefined) throw wrongUsage('--issuer-url <url> is required')
  if (client_id === undefined) throw wrongUsage('--client-id <id> is required')
  const service = await client()
  const client_secret = await openSecrets(io).next('Client secret')
  const body = { ...given, name: args.name, issuer_url, client_id, client_secret }
  print.reply(await service.post('/oidc-providers', { body }), (provider) => {
    print.line(`${clean(provider.name)} is created with the id ${clean(provider.id)}`)
    const address = provider.callback_url ?? 'none: set SERVICE_BASE_URL of the service'
    print.note(`  redirect address: ${clean(address)}`)
  })
}
