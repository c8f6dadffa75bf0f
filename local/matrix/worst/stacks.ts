import { data, having, type Judgement, later, nothing, outage, root } from './judgement.ts'

const change = 'functions/core/stacks/check-change.ts'
const policy = 'functions/compose/policy/policy.ts'
const shared = 'functions/core/deploy/refuse-shared-mounts.ts'
const outlived = 'functions/core/deploy/refuse-outlived.ts'
const ownHooks = 'functions/compose/plan/stop/own-hooks.ts'
const hidden = 'functions/core/stacks/hidden-files.ts'
const uploads = 'functions/core/uploads/get-change.ts'
const adoption = 'functions/core/adopt/running-policy.ts'
const entering = 'functions/core/owners/enter-container.ts'

const reads = nothing('shows names, states and texts, as to every viewer')
const readsFiles: Judgement = [
  nothing('hides secret files and values', hidden),
  data('shows secret files, such as `.env`', undefined, having('stacks:secrets')),
]
/** Saved files act when someone deploys them. */
const saves: Judgement = [
  nothing('only saves files, which reach no further than their author may', change),
  nothing(
    'refers to volumes and networks with the rights of the author too',
    'functions/core/owners/check-references.ts',
    later,
  ),
  data(
    'a deploy by others gives the saved services the volumes and secrets of the stack',
    outlived,
    later,
  ),
  data(
    'a deploy gives the saved services the volumes and secrets of the stack',
    shared,
    having('stacks:deploy'),
  ),
  root('a deploy by others starts a container that controls the host', undefined, {
    ...having('stacks:privileged'),
    ...later,
  }),
  root(
    'a deploy starts a container that controls the host',
    undefined,
    having('stacks:deploy', 'stacks:privileged'),
  ),
]
const follows: Judgement = [
  outage(
    'what the source has is saved and deployed later, with the rights that the account which bound it has then',
    'functions/core/sources/judge-sync.ts',
    later,
  ),
]
const uploading = nothing('keeps bytes for the caller alone, until they are complete', uploads)
const adopting = nothing('keeps bytes for the caller alone', 'functions/core/adopt/get-adoption.ts')
const stops = outage(
  'stops or starts what is deployed, with the commands it was created with',
  ownHooks,
)

/** Routes about stacks. */
export const stacks: Readonly<Record<string, Judgement>> = {
  'GET /stacks': reads,
  'GET /stacks/{name}': reads,
  'GET /stacks/{name}/files': reads,
  'GET /stacks/{name}/status': reads,
  'GET /stacks/{name}/update-policy': reads,
  'PUT /stacks/{name}/update-policy': outage(
    'newer images of the stack are deployed later with the rights that the account has then',
    'functions/core/updates/judge-policy.ts',
    later,
  ),
  'DELETE /stacks/{name}/update-policy': outage('newer images of the stack are no longer deployed'),
  'GET /stacks/{name}/held-back-images': reads,
  'DELETE /stacks/{name}/held-back-images/{digest}': outage(
    'a later update deploys an image again that was bad',
    'functions/core/updates/judge-policy.ts',
    later,
  ),
  'GET /stacks/{name}/jobs': reads,
  'GET /stacks/{name}/jobs/{job}': reads,
  'GET /stacks/{name}/jobs/{job}/runs': reads,
  'GET /stacks/{name}/jobs/{job}/runs/{id}': reads,
  'POST /stacks/{name}/jobs': data(
    'runs commands with the volumes and secrets of the service later, with the rights that the account has then',
    'functions/core/stack-jobs/judge-job.ts',
  ),
  'PUT /stacks/{name}/jobs/{job}': data(
    'as POST /stacks/{name}/jobs',
    'functions/core/stack-jobs/judge-job.ts',
  ),
  'POST /stacks/{name}/jobs/{job}/run': data(
    'runs a command that was saved, with the rights of the account that saved it, if the caller has the rights to a one-off container too',
    'functions/core/stack-jobs/check-job.ts',
  ),
  'DELETE /stacks/{name}/jobs/{job}': outage('the job no longer runs'),
  'GET /stacks/{name}/hook': reads,
  'POST /stacks/{name}/hook': outage(
    'whoever knows its secret deploys the stack later, with the rights that the account has then',
    'functions/core/stack-hooks/judge-hook.ts',
    later,
  ),
  'POST /stacks/{name}/hook/rotate': outage(
    'as POST /stacks/{name}/hook, and callers with the earlier secret are refused',
    'functions/core/stack-hooks/judge-hook.ts',
    later,
  ),
  'DELETE /stacks/{name}/hook': outage('callers no longer deploy the stack'),
  'GET /stacks/{name}/source': reads,
  'PUT /stacks/{name}/source': [
    ...follows,
    outage('others can no longer edit the files of the stack here'),
  ],
  'POST /stacks/{name}/source/sync': follows,
  'DELETE /stacks/{name}/source': outage('the stack no longer follows its source'),
  'GET /stacks/{name}/logs': reads,
  'GET /stacks/{name}/deployments': reads,
  'GET /stacks/{name}/deployments/{id}': reads,
  'GET /stacks/{name}/services/{service}/top': nothing(
    'shows command lines, as the Engine does',
    'functions/core/owners/container-owner.ts',
  ),
  'GET /compose-projects': reads,
  'POST /stacks/{name}/plan': nothing(
    'changes nothing and shows no values',
    'functions/core/deploy/explain-plans.ts',
  ),
  'GET /stacks/{name}/diff': readsFiles,
  'GET /stacks/{name}/contents': readsFiles,
  'GET /stacks/{name}/file': readsFiles,
  'GET /stacks/{name}/config': readsFiles,
  'POST /stacks/validate': nothing(
    'stores nothing, and reads stored files only with stacks:read',
    hidden,
  ),

  'POST /stacks': [
    nothing('only saves files, which reach no further than their author may', change),
    data(
      'a deploy mounts a directory that a project without containers left on the host',
      'functions/core/stacks/shared-directory.ts',
      having('stacks:deploy'),
    ),
    root('a deploy by others starts a container that controls the host', undefined, {
      ...having('stacks:privileged'),
      ...later,
    }),
    root(
      'a deploy starts a container that controls the host',
      undefined,
      having('stacks:deploy', 'stacks:privileged'),
    ),
  ],
  'PUT /stacks/{name}': saves,
  'PUT /stacks/{name}/file': saves,
  'DELETE /stacks/{name}/file': saves,
  'POST /stacks/{name}/uploads': uploading,
  'GET /stacks/{name}/uploads/{id}': uploading,
  'PUT /stacks/{name}/uploads/{id}/parts/{n}': uploading,
  'POST /stacks/{name}/uploads/{id}/complete': saves,

  'POST /stacks/adopt': nothing('looks at what runs, and changes nothing', adoption),
  'GET /stacks/adopt/{id}': adopting,
  'PUT /stacks/adopt/{id}/parts/{n}': adopting,
  'POST /stacks/adopt/{id}/complete': [
    nothing('records a project that runs; nothing on the host changes', adoption),
    data(
      'a deploy by others runs the uploaded files with the volumes of the project',
      adoption,
      later,
    ),
    data(
      'a deploy runs the uploaded files with the volumes of the project',
      adoption,
      having('stacks:deploy'),
    ),
  ],

  'POST /stacks/{name}/deploy': [
    outage(
      'replaces containers, also from files that their author did not want to deploy yet',
      policy,
    ),
    data(
      'places a stack that was never deployed, with its secrets, on a host of the caller',
      undefined,
      having('hosts:manage'),
    ),
  ],
  'POST /stacks/{name}/rollback': outage(
    'runs an earlier version, under the policy of today',
    policy,
  ),
  'POST /stacks/{name}/undo': [
    nothing(
      'restores the data from before an update, and keeps what was written since',
      'functions/core/apply-updates/undo-update.ts',
    ),
  ],
  'POST /stacks/{name}/stop': stops,
  'POST /stacks/{name}/restart': stops,
  'POST /stacks/{name}/services/{service}/start': stops,
  'POST /stacks/{name}/services/{service}/stop': stops,
  'POST /stacks/{name}/services/{service}/restart': stops,
  'POST /stacks/{name}/services/{service}/pause': stops,
  'POST /stacks/{name}/services/{service}/unpause': stops,
  'POST /stacks/{name}/services/{service}/scale': outage('scales to nothing', policy),
  'POST /stacks/{name}/services/{service}/pull': nothing(
    'pulls what the files name',
    'functions/core/images/image-access.ts',
  ),
  'POST /stacks/{name}/services/{service}/build': outage(
    'writes saved files, which containers read at their next start',
    shared,
  ),
  'POST /stacks/{name}/deployments/{id}/cancel': outage('leaves a deployment of others half done'),
  'POST /stacks/{name}/publish': nothing(
    'sends compose files, which every viewer reads, without secret values',
    'functions/core/publish/accept-findings.ts',
  ),
  'POST /stacks/{name}/down': data(
    'removes the volumes of the stack, with `volumes`',
    'functions/core/owners/rights.ts',
  ),
  'POST /stacks/{name}/forget': data(
    'removes the stack and its history; what it has on its host stays and keeps running',
    'functions/core/owners/rights.ts',
  ),
  'DELETE /stacks/{name}': data(
    'removes the stack, its history, and its volumes with `volumes`',
    'functions/core/owners/rights.ts',
  ),

  'POST /stacks/{name}/services/{service}/run': data(
    'runs commands with the volumes and secrets of the service',
    shared,
  ),
  'POST /stacks/{name}/services/{service}/commit': data(
    'copies the files of a container into an image',
    entering,
  ),

  '/ws/stacks/{name}/logs': reads,
}
