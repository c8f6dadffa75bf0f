import { command } from '../../command.ts'

export default command({
  list: true,
  details:
    '\nLists the identity providers that users can sign in with. Their secrets are never shown.',
  async run({ client, print }) {
    const service = await client()
    print.reply(await service.get('/oidc-providers'), (providers) =>
      print.table(providers, [
        { head: 'ID', text: (one) => one.id },
        { head: 'NAME', text: (one) => one.name },
        { head: 'ISSUER', text: (one) => one.issuer_url },
        { head: 'CLIENT', text: (one) => one.client_id },
        { head: 'DEFAULT ROLE', text: (one) => one.default_role },
        { head: 'CALLBACK', text: (one) => one.callback_url, fold: 1 },
      ]),
    )
  },
})
