import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { TextReply } from '../kit/reply.ts'
import { installScript } from './script.ts'

export default endpoint({
  summary: 'Get the agent install script',
  description:
    'Run it as root on the host. It downloads the agent program from this service, enrols it with the token in AGENT_TOKEN and runs it under systemd.',
  access: 'public',
  produces: 'text/x-shellscript',

  async run({ request }, { addresses }: Needs<'addresses'>) {
    const script = installScript(addresses.base(request.headers))
    return new TextReply(script, 'text/x-shellscript; charset=utf-8')
  },
})
