import { requirePermissions } from '../../core/access/grant.ts'
import { deploysStacks, reachOf } from '../../core/access/reach.ts'
import { type CreateOneOffPorts, createOneOff } from '../../core/one-offs/create.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { getStack } from '../../core/stacks/stack-record.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { OneOffContainer, RunBody, ServicePath } from './schema.ts'

export default endpoint({
  summary: 'Run a command in a new container of a service',
  description:
    'Creates a container as the service was last deployed, but without restarts, the names of the service, and ports that are not asked for. ' +
    'It starts when the feed `/ws/attach/{id}` attaches, and is removed at its end, or after 30 s without a feed. ' +
    'The policy is that of a deploy. A missing image is pulled; nothing else is created, and no other service is started.',
  access: 'containers:exec',
  atService: true,
  path: ServicePath,
  body: RunBody.default({}),
  returns: OneOffContainer,
  status: 201,
  noTimeout: true,
  errors: {
    403: 'The policy refuses the service, or `env` needs stacks:deploy',
    404: 'No stack or service has that name, or no registry has the image',
    409: 'The stack was never deployed, a deployment of it is running, something that the service needs is missing, its files refer to what an account that saved them may not use, or the stack has 50 one-off containers',
    422: 'The files of the stack do not load',
  },

  async run({ path, body, caller, signal }, ports: CreateOneOffPorts & Needs<'hosts'>) {
    if (body.env) requirePermissions(caller, ['stacks:deploy'], 'body.env')
    const publishes = body.publish !== undefined || body.service_ports === true
    if (publishes) requirePermissions(caller, ['stacks:deploy'], 'body.publish')
    const stack = await getStack(path.name, ports)
    const { oneOff, containerId } = await createOneOff(
      {
        stack,
        service: path.service,
        accountId: caller.account.id,
        command: body.command,
        entrypoint: body.entrypoint,
        user: body.user,
        environment: body.env,
        publish: body.publish ?? [],
        servicePorts: body.service_ports ?? false,
        tty: body.tty ?? false,
        keep: body.keep ?? false,
        dependencies: body.dependencies ?? true,
        reach: reachOf(caller),
        mayDeploy: deploysStacks(caller, ports),
      },
      signal,
      ports,
    )
    return { container_id: containerId, container: oneOff.container }
  },
})
