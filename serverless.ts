import { deployment } from './adapters/lambda/deployment.ts'
import { prefix } from './functions/kit/location.ts'
import { feedManifest, manifest } from './functions/kit/manifest.ts'
import { schedules as lines } from './functions/kit/schedule.ts'

export { prefix }

export const routes = manifest({
  'GET    /health': () => import('./functions/health/get.ts'),
  'GET    /version': () => import('./functions/version/get.ts'),
  'GET    /openapi.json': () => import('./functions/docs/openapi-json.ts'),
  'GET    /openapi.yaml': () => import('./functions/docs/openapi-yaml.ts'),
  'GET    /docs': () => import('./functions/docs/explorer.ts'),
  'GET    /docs/{file}': () => import('./functions/docs/file.ts'),

  'GET    /setup': () => import('./functions/setup/get.ts'),
  'POST   /setup': () => import('./functions/setup/create.ts'),
  'POST   /auth/login': () => import('./functions/auth/login.ts'),
  'POST   /auth/refresh': () => import('./functions/auth/refresh.ts'),
  'POST   /auth/logout': () => import('./functions/auth/logout.ts'),
  'POST   /auth/browser/login': () => import('./functions/auth/browser/login.ts'),
  'POST   /auth/browser/refresh': () => import('./functions/auth/browser/refresh.ts'),
  'POST   /auth/browser/logout': () => import('./functions/auth/browser/logout.ts'),
  'POST   /auth/browser/exchange': () => import('./functions/auth/browser/exchange.ts'),
  'GET    /auth/oidc/providers': () => import('./functions/auth/oidc/providers.ts'),
  'GET    /auth/oidc/{id}/login': () => import('./functions/auth/oidc/login.ts'),
  'GET    /auth/oidc/{id}/callback': () => import('./functions/auth/oidc/callback.ts'),
  'POST   /auth/oidc/exchange': () => import('./functions/auth/oidc/exchange.ts'),
  'GET    /oidc-providers': () => import('./functions/oidc-providers/list.ts'),
  'POST   /oidc-providers': () => import('./functions/oidc-providers/create.ts'),
  'PUT    /oidc-providers/{id}': () => import('./functions/oidc-providers/update.ts'),
  'DELETE /oidc-providers/{id}': () => import('./functions/oidc-providers/remove.ts'),
  'GET    /me': () => import('./functions/me/get.ts'),
  'PUT    /me/password': () => import('./functions/me/password/update.ts'),
  'POST   /me/mfa': () => import('./functions/me/mfa/create.ts'),
  'POST   /me/mfa/verify': () => import('./functions/me/mfa/verify.ts'),
  'POST   /me/mfa/disable': () => import('./functions/me/mfa/disable.ts'),
  'GET    /me/sessions': () => import('./functions/me/sessions/list.ts'),
  'DELETE /me/sessions': () => import('./functions/me/sessions/remove-others.ts'),
  'DELETE /me/sessions/{id}': () => import('./functions/me/sessions/remove.ts'),

  'POST   /ws/ticket': () => import('./functions/feeds/tickets/create.ts'),

  'GET    /users': () => import('./functions/users/list.ts'),
  'POST   /users': () => import('./functions/users/create.ts'),
  'GET    /users/{id}': () => import('./functions/users/get.ts'),
  'PUT    /users/{id}': () => import('./functions/users/update.ts'),
  'DELETE /users/{id}': () => import('./functions/users/remove.ts'),
  'POST   /users/{id}/unlock': () => import('./functions/users/unlock.ts'),
  'GET    /roles': () => import('./functions/roles/list.ts'),
  'POST   /roles': () => import('./functions/roles/create.ts'),
  'PUT    /roles/{name}': () => import('./functions/roles/update.ts'),
  'DELETE /roles/{name}': () => import('./functions/roles/remove.ts'),
  'GET    /settings': () => import('./functions/settings/get.ts'),
  'PUT    /settings': () => import('./functions/settings/update.ts'),
  'DELETE /users/{id}/mfa': () => import('./functions/users/mfa/remove.ts'),
  'GET    /api-tokens': () => import('./functions/api-tokens/list.ts'),
  'POST   /api-tokens': () => import('./functions/api-tokens/create.ts'),
  'DELETE /api-tokens/{id}': () => import('./functions/api-tokens/remove.ts'),

  'GET    /stacks': () => import('./functions/stacks/list.ts'),
  'POST   /stacks': () => import('./functions/stacks/create.ts'),
  'POST   /stacks/validate': () => import('./functions/stacks/validate.ts'),
  'GET    /stacks/{name}': () => import('./functions/stacks/get.ts'),
  'PUT    /stacks/{name}': () => import('./functions/stacks/update.ts'),
  'DELETE /stacks/{name}': () => import('./functions/stacks/remove.ts'),
  'GET    /stacks/{name}/diff': () => import('./functions/stacks/diff.ts'),
  'POST   /stacks/{name}/plan': () => import('./functions/stacks/plan.ts'),
  'GET    /stacks/{name}/files': () => import('./functions/stacks/files/list.ts'),
  'GET    /stacks/{name}/contents': () => import('./functions/stacks/contents/get.ts'),
  'GET    /stacks/{name}/file': () => import('./functions/stacks/file/get.ts'),
  'PUT    /stacks/{name}/file': () => import('./functions/stacks/file/update.ts'),
  'DELETE /stacks/{name}/file': () => import('./functions/stacks/file/remove.ts'),
  'POST   /stacks/{name}/uploads': () => import('./functions/stacks/uploads/create.ts'),
  'GET    /stacks/{name}/uploads/{id}': () => import('./functions/stacks/uploads/get.ts'),
  'PUT    /stacks/{name}/uploads/{id}/parts/{n}': () =>
    import('./functions/stacks/uploads/parts/update.ts'),
  'POST   /stacks/{name}/uploads/{id}/complete': () =>
    import('./functions/stacks/uploads/complete.ts'),
  'POST   /stacks/{name}/deploy': () => import('./functions/stacks/deploy.ts'),
  'POST   /stacks/{name}/rollback': () => import('./functions/stacks/rollback.ts'),
  'POST   /stacks/{name}/stop': () => import('./functions/stacks/stop.ts'),
  'POST   /stacks/{name}/forget': () => import('./functions/stacks/forget.ts'),
  'POST   /stacks/{name}/down': () => import('./functions/stacks/down.ts'),
  'POST   /stacks/{name}/restart': () => import('./functions/stacks/restart.ts'),
  'POST   /stacks/{name}/services/{service}/start': () =>
    import('./functions/stacks/services/start.ts'),
  'POST   /stacks/{name}/services/{service}/stop': () =>
    import('./functions/stacks/services/stop.ts'),
  'POST   /stacks/{name}/services/{service}/restart': () =>
    import('./functions/stacks/services/restart.ts'),
  'POST   /stacks/{name}/services/{service}/pause': () =>
    import('./functions/stacks/services/pause.ts'),
  'POST   /stacks/{name}/services/{service}/scale': () =>
    import('./functions/stacks/services/scale.ts'),
  'POST   /stacks/{name}/services/{service}/pull': () =>
    import('./functions/stacks/services/pull.ts'),
  'POST   /stacks/{name}/services/{service}/build': () =>
    import('./functions/stacks/services/build.ts'),
  'POST   /stacks/{name}/services/{service}/unpause': () =>
    import('./functions/stacks/services/unpause.ts'),
  'POST   /stacks/{name}/publish': () => import('./functions/stacks/publish.ts'),
  'GET    /stacks/{name}/config': () => import('./functions/stacks/config.ts'),
  'GET    /stacks/{name}/status': () => import('./functions/stacks/status.ts'),
  'GET    /stacks/{name}/logs': () => import('./functions/stacks/logs.ts'),
  'POST   /stacks/{name}/services/{service}/run': () =>
    import('./functions/stacks/services/run.ts'),
  'POST   /stacks/{name}/services/{service}/commit': () =>
    import('./functions/stacks/services/commit.ts'),
  'GET    /stacks/{name}/services/{service}/top': () =>
    import('./functions/stacks/services/top.ts'),
  'GET    /stacks/{name}/deployments': () => import('./functions/stacks/deployments/list.ts'),
  'GET    /stacks/{name}/deployments/{id}': () => import('./functions/stacks/deployments/get.ts'),
  'POST   /stacks/{name}/deployments/{id}/cancel': () =>
    import('./functions/stacks/deployments/cancel.ts'),

  'GET    /compose-projects': () => import('./functions/compose-projects/list.ts'),
  'POST   /stacks/adopt': () => import('./functions/stacks/adopt/create.ts'),
  'GET    /stacks/adopt/{id}': () => import('./functions/stacks/adopt/get.ts'),
  'PUT    /stacks/adopt/{id}/parts/{n}': () => import('./functions/stacks/adopt/parts/update.ts'),
  'POST   /stacks/adopt/{id}/complete': () => import('./functions/stacks/adopt/complete.ts'),

  'GET    /containers': () => import('./functions/containers/list.ts'),
  'GET    /containers/{id}': () => import('./functions/containers/get.ts'),
  'GET    /containers/{id}/logs': () => import('./functions/containers/logs.ts'),
  'POST   /containers/{id}/start': () => import('./functions/containers/start.ts'),
  'POST   /containers/{id}/stop': () => import('./functions/containers/stop.ts'),
  'POST   /containers/{id}/restart': () => import('./functions/containers/restart.ts'),
  'POST   /containers/{id}/kill': () => import('./functions/containers/kill.ts'),
  'GET    /containers/{id}/archive': () => import('./functions/containers/archive/get.ts'),
  'PUT    /containers/{id}/archive': () => import('./functions/containers/archive/update.ts'),
  'DELETE /containers/{id}': () => import('./functions/containers/remove.ts'),

  'GET    /images': () => import('./functions/images/list.ts'),
  'POST   /images/pull': () => import('./functions/images/pull.ts'),
  'POST   /images/prune': () => import('./functions/images/prune.ts'),
  'DELETE /images/{id}': () => import('./functions/images/remove.ts'),
  'GET    /networks': () => import('./functions/networks/list.ts'),
  'DELETE /networks/{id}': () => import('./functions/networks/remove.ts'),
  'GET    /volumes': () => import('./functions/volumes/list.ts'),
  'DELETE /volumes/{name}': () => import('./functions/volumes/remove.ts'),
  'GET    /volume-sizes': () => import('./functions/volume-sizes/list.ts'),

  'GET    /hosts': () => import('./functions/hosts/list.ts'),
  'POST   /hosts': () => import('./functions/hosts/create.ts'),
  'GET    /hosts/{id}': () => import('./functions/hosts/get.ts'),

  'GET    /backup-jobs': () => import('./functions/backup-jobs/list.ts'),
  'POST   /backup-jobs': () => import('./functions/backup-jobs/create.ts'),
  'GET    /backup-jobs/{id}': () => import('./functions/backup-jobs/get.ts'),
  'PUT    /backup-jobs/{id}': () => import('./functions/backup-jobs/update.ts'),
  'DELETE /backup-jobs/{id}': () => import('./functions/backup-jobs/remove.ts'),
  'POST   /backup-jobs/{id}/run': () => import('./functions/backup-jobs/run.ts'),
  'GET    /backup-runs': () => import('./functions/backup-runs/list.ts'),
  'GET    /backup-runs/{id}': () => import('./functions/backup-runs/get.ts'),
  'POST   /backup-runs/{id}/verify': () => import('./functions/backup-runs/verify.ts'),
  'POST   /backup-runs/{id}/restore': () => import('./functions/backup-runs/restore.ts'),

  'GET    /registries': () => import('./functions/registries/list.ts'),
  'POST   /registries': () => import('./functions/registries/create.ts'),
  'PUT    /registries/{id}': () => import('./functions/registries/update.ts'),
  'DELETE /registries/{id}': () => import('./functions/registries/remove.ts'),

  'GET    /alert-channels': () => import('./functions/alert-channels/list.ts'),
  'POST   /alert-channels': () => import('./functions/alert-channels/create.ts'),
  'PUT    /alert-channels/{id}': () => import('./functions/alert-channels/update.ts'),
  'DELETE /alert-channels/{id}': () => import('./functions/alert-channels/remove.ts'),
  'POST   /alert-channels/{id}/test': () => import('./functions/alert-channels/test.ts'),
  'GET    /alert-deliveries': () => import('./functions/alert-deliveries/list.ts'),
  'POST   /alert-deliveries/{id}/retry': () => import('./functions/alert-deliveries/retry.ts'),

  'GET    /secret-keys': () => import('./functions/secret-keys/list.ts'),
  'POST   /secret-keys': () => import('./functions/secret-keys/create.ts'),
  'DELETE /secret-keys/{id}': () => import('./functions/secret-keys/remove.ts'),

  'GET    /alert-rules': () => import('./functions/alert-rules/list.ts'),
  'POST   /alert-rules': () => import('./functions/alert-rules/create.ts'),
  'GET    /alert-rules/{id}': () => import('./functions/alert-rules/get.ts'),
  'PUT    /alert-rules/{id}': () => import('./functions/alert-rules/update.ts'),
  'DELETE /alert-rules/{id}': () => import('./functions/alert-rules/remove.ts'),
  'GET    /alerts': () => import('./functions/alerts/list.ts'),
  'GET    /alert-events': () => import('./functions/alert-events/list.ts'),
  'GET    /containers/{id}/metrics': () => import('./functions/containers/metrics.ts'),
  'GET    /container-metrics': () => import('./functions/container-metrics/list.ts'),
  'GET    /hosts/{id}/metrics': () => import('./functions/hosts/metrics.ts'),
  'GET    /metrics': () => import('./functions/metrics/get.ts'),

  'GET    /audit': () => import('./functions/audit/list.ts'),
  'GET    /audit/verify': () => import('./functions/audit/verify.ts'),
  'GET    /audit/export': () => import('./functions/audit/export.ts'),
  'POST   /audit/trim': () => import('./functions/audit/trim.ts'),
  'PUT    /hosts/{id}': () => import('./functions/hosts/update.ts'),
  'DELETE /hosts/{id}': () => import('./functions/hosts/remove.ts'),
  'POST   /hosts/{id}/enrolment': () => import('./functions/hosts/enrolment/create.ts'),
  'POST   /agents/enroll': () => import('./functions/agents/enroll.ts'),
  'GET    /agents/install.sh': () => import('./functions/agents/install.ts'),
  'GET    /agents/agent.mjs': () => import('./functions/agents/program.ts'),
})

export const feeds = feedManifest({
  '/ws/logs/{id}': () => import('./functions/feeds/logs.ts'),
  '/ws/stacks/{name}/logs': () => import('./functions/feeds/stacks/logs.ts'),
  '/ws/stats/{id}': () => import('./functions/feeds/stats.ts'),
  '/ws/events': () => import('./functions/feeds/events.ts'),
  '/ws/exec/{id}': () => import('./functions/feeds/exec.ts'),
  '/ws/archive/{id}': () => import('./functions/feeds/archive.ts'),
  '/ws/attach/{id}': () => import('./functions/feeds/attach.ts'),
  '/ws/images/pull': () => import('./functions/images/follow-pull.ts'),
})

export const schedules = lines({
  'recover deployments': () => import('./functions/stacks/recover-deployments.ts'),
  'remove one-off containers': () => import('./functions/stacks/services/sweep-one-offs.ts'),
  'list what was used before': () => import('./functions/settings/fill-lists.ts'),
  'warn of refused stacks': () => import('./functions/stacks/check-policy.ts'),
  'run backups': () => import('./functions/backup-jobs/start-due-backups.ts'),
  'review backup jobs': () => import('./functions/backup-jobs/review.ts'),
  'recover backups': () => import('./functions/backup-jobs/recover-backups.ts'),
  'recover restores': () => import('./functions/backup-runs/recover-restores.ts'),
  'reencrypt secrets': () => import('./functions/secret-keys/reencrypt.ts'),
  'deliver alerts': () => import('./functions/alert-deliveries/deliver.ts'),
  'look at hosts': () => import('./functions/alerts/monitor.ts'),
  'remove expired records': () => import('./functions/retention/sweep.ts'),
  'release the lock of admin changes': () => import('./functions/users/release-lock.ts'),
  'keep refused attempts': () => import('./functions/audit/flush.ts'),
})

/** The configuration of osls, which packages the functions for a cloud. */
export default /* @__PURE__ */ deployment({ prefix, routes })
