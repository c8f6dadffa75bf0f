import { requireEveryHost, requirePermissions } from '../../core/access/grant.ts'
import { requireRunnable } from '../../core/backups/jobs/require-runnable.ts'
import { Operation } from '../../core/operations/operation-schema.ts'
import { systemJob } from '../../core/upgrade/back-up-service.ts'
import { type ServiceUpgradePorts, upgradeService } from '../../core/upgrade/upgrade-service.ts'
import { acceptedOperation } from '../../kit/accepted-operation.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { operationHeaders } from '../../kit/wait.ts'
import { UpgradeBody } from './schema.ts'

export default endpoint({
  summary: 'Upgrade the service',
  description:
    'Replaces the container of the service by one of another image, which must be on its host. The check of `POST /service/upgrade/check` must allow it. ' +
    'No deployment, backup or restore begins meanwhile, and those that run are waited for, 10 minutes at most. Then a backup job of the service runs, and its backup is verified. ' +
    'A helper container of the new image then stops this container and starts the new one. If that is not healthy within 60 s, the helper starts the old one again. ' +
    'The response is an operation. While it runs, `result` has `step` (`waiting`, `backing_up` or `replacing`). The connection ends in the last one: ask again until the operation has ended, or read `last` of `GET /service/upgrade`. Before the last step, it can be cancelled. ' +
    'Needs an account that is not limited to some hosts, `stacks:privileged`, as the image gets the socket of the Engine, and, unless `without_backup` is true, the rights to run the job.',
  access: 'service:upgrade',
  atService: true,
  body: UpgradeBody,
  returns: Operation,
  status: 202,
  responseHeaders: operationHeaders(),
  errors: {
    403: 'You are limited to some hosts, lack stacks:privileged, or may not run the backup job',
    404: 'The image is not on the host of the service, or there is no such backup job',
    409: 'The check does not allow the upgrade, the image is another one by now, no job backs up the service or it is blocked, or the service is paused or being upgraded',
  },

  async run({ body, caller, trail }, ports: ServiceUpgradePorts) {
    requireEveryHost(caller, 'upgrade of the service')
    requirePermissions(caller, ['stacks:privileged'], 'upgrade: running its image as the service')
    const { image, version, image_id: imageId, backup_job, without_backup } = body
    const job = without_backup ? undefined : await systemJob(backup_job, ports)
    if (job) {
      requirePermissions(caller, ['backups:manage'], `backup job ${job.name}: running it`)
      await requireRunnable(job, caller, ports)
    }
    return acceptedOperation(
      await upgradeService({ image, version, imageId, job }, caller, trail(), ports),
    )
  },
})
