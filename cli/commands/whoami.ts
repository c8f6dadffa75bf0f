import { command } from '../command.ts'

export default command({
  async run({ client, print }) {
    const service = await client()
    print.reply(await service.get('/me'), (me) =>
      print.facts({
        username: me.username,
        email: me.email || undefined,
        role: me.role,
        'scope tags': me.scope_tags.join(', ') || 'none: every host',
        'second factor': me.mfa_enabled ? 'on' : 'off',
        credential: me.credential === 'api_token' ? 'API token' : 'session',
        server: service.server,
      }),
    )
  },
})
