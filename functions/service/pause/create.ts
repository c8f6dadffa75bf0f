import { z } from 'zod'
import { requireEveryHost } from '../../core/access/grant.ts'
import { Operation } from '../../core/operations/operation-schema.ts'
import { type PausePorts, pauseService } from '../../core/upgrade/pause-service.ts'
import { acceptedOperation } from '../../kit/accepted-operation.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { operationHeaders } from '../../kit/wait.ts'

export default endpoint({
  summary: 'Pause deployments, backups and restores',
  description:
    'Lets none of them begin, so that an upgrade interrupts nothing: requests get 409 with the reason `lease-held`, and what is due by a schedule stays due. What runs goes on: see `running` of `GET /service/upgrade`. ' +
    'The pause is an operation. It ends after the minutes, when it is cancelled, or within seconds after its process has ended.',
  access: 'service:upgrade',
  atService: true,
  body: z
    .strictObject({
      minutes: z.int().min(1).max(60).describe('How long the pause lasts, unless it ends earlier'),
    })
    .meta({ id: 'PauseBody', examples: [{ minutes: 15 }] }),
  returns: Operation,
  status: 202,
  responseHeaders: operationHeaders(),
  errors: {
    409: 'The service is paused already',
  },

  async run({ body, caller, trail }, ports: PausePorts) {
    requireEveryHost(caller, 'pause of the service')
    return acceptedOperation(await pauseService(body.minutes, caller, trail(), ports))
  },
})
