import { passwordHashOf } from '../core/access/user.ts'
import { endpoint } from '../kit/endpoint.ts'
import { Me } from './schema.ts'

export default endpoint({
  summary: 'Show your account',
  access: 'signed-in',
  returns: Me,
  examples: {
    returns: {
      id: '01977d3c-7a00-7000-8000-5e6f7a8b9c0d',
      username: 'anna',
      email: null,
      role: 'viewer',
      permissions: ['containers:read', 'stacks:read'],
      scope_tags: [],
      has_password: true,
      mfa_enabled: false,
      credential: 'session',
    },
  },

  run({ caller }, _ports: object) {
    const { id, username, email, role, mfaEnabled } = caller.account
    return {
      id,
      username,
      email,
      role,
      permissions: [...caller.permissions],
      scope_tags: [...caller.scopeTags],
      has_password: passwordHashOf(caller.account) !== null,
      mfa_enabled: mfaEnabled,
      credential: caller.credential.kind,
    }
  },
})
