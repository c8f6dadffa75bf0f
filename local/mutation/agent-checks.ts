import { type Mutation, mutation } from './mutation.ts'

const identity = ['adapters/node/hosts/server-identity.test.ts']
const agents = ['adapters/node/hosts/agents.test.ts']

const ofServer = (name: string, find: string, replacement: string) =>
  mutation(`agents: ${name}`, 'adapters/agent/server-identity.ts', find, replacement, identity)

/** Checks between the service and its agents. */
export const checks: Mutation[] = [
  mutation(
    'agents: a server that is not the service',
    'adapters/agent/dial.ts',
    'if (problem === undefined) return resolve(socket)',
    'resolve(socket)\n      if (problem === undefined) return',
    identity,
  ),
  ofServer(
    'the authority of an expired certificate',
    'certificate.verify(authority.publicKey) &&',
    '',
  ),
  ofServer(
    'the name in an expired certificate',
    "certificate.checkHost(agentProtocol.serverName, { subject: 'never' }) !== undefined &&",
    '',
  ),
  ofServer(
    'the usage of an expired certificate',
    'keyUsage?.includes(serverUsage) === true',
    'keyUsage !== null',
  ),
  mutation(
    'agents: a second agent with one certificate',
    'adapters/sidecar/agents/duplicates.ts',
    'return mayBeOther(own.instance, own.serial) && (await own.connection.isAlive())',
    'return false',
    agents,
  ),
  mutation(
    'agents: a second agent at another process',
    'adapters/sidecar/agents/duplicates.ts',
    'return mayBeOther(row.facts.instance, row.serial) && (await isAliveAt(row.address, host.id))',
    'return false',
    agents,
  ),
]
