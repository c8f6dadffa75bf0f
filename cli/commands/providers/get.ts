import { command } from '../../command.ts'
import { showInspection } from '../../output/inspection.ts'
import { findProvider } from '../../resolve/find.ts'

export default command({
  args: '<provider>',
  details: '\nShows an identity provider, given by name or id. Its secret is never shown.',
  examples: ['cli providers get keycloak'],
  async run({ args, client, print }) {
    const service = await client()
    const { id } = await findProvider(service, args.provider)
    const reply = await service.get('/oidc-providers/{id}', { path: { id } })
    print.reply(reply, (found) => showInspection(found, print))
  },
})
