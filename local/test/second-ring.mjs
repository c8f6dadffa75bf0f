/**
 * One row of the table of the second ring in docs/contributing: what `npm test` leaves out, and why
 * that is no loss.
 *
 * @typedef {object} Repeated
 * @property {string} file the test file, or the project of vitest
 * @property {string} leftOut which of its tests
 * @property {boolean} [whole] all of the file's tests are left out
 * @property {boolean} [whenSlow] all of the file's tests are left out by a run that would take too
 *   long
 * @property {readonly string[]} [unlessChanged] folders or files: a change of one brings the tests
 *   back into `npm test`
 * @property {readonly string[]} [covers] folders and files of what it tries, as far as
 *   `unlessChanged` does not name them: a release needs a run after their last change
 * @property {string} reason what shows the same with less work
 */

/** The environment variable that says that the second ring runs. */
const variable = 'CONTAINER_STACKS_SECOND_RING'

/** Returns whether tests of the second ring run, as with `npm test -- --all`. */
export const runsSecondRing = (environment = process.env) => environment[variable] === '1'

/** The variables of a run with the second ring. */
export const withSecondRing = { [variable]: '1' }

/** The environment variable with the paths of test files that a run leaves out, with commas. */
export const leftOutVariable = 'CONTAINER_STACKS_TESTS_LEFT_OUT'

/** Returns the paths of the test files that this run leaves out. */
export const leftOutFiles = () => (process.env[leftOutVariable] ?? '').split(',').filter(Boolean)

/**
 * Returns the rows of journeys that open the same pages again at another width.
 *
 * @param {readonly (readonly [journey: string, width: 390 | 1280])[]} repeated
 */
const journeysOfBothWidths = (repeated) =>
  repeated.map(([journey, width]) => ({
    file: `local/journeys/${journey}.engine.test.ts`,
    leftOut: `pages opened at ${width} px`,
    covers: ['web/', 'local/journeys/'],
    reason: 'each page is resized to this width, and checked there in both themes',
  }))

const unlessSlow = 'all of it, on a machine that is too slow'

/**
 * What repeats harder what another test shows. The first ring leaves it out.
 *
 * @type {readonly Repeated[]}
 */
export const secondRing = [
  {
    file: 'packaging/deb/systemd.timing.test.ts',
    leftOut: 'all of it',
    whole: true,
    whenSlow: true,
    unlessChanged: [
      'packaging/',
      'adapters/agent/',
      'adapters/git/',
      'adapters/node/process/',
      'adapters/node/start/',
      'adapters/node/restore/',
      'adapters/sqlite/',
      'local/harness/debian-system.ts',
      'docs/install-debian.md',
      'package-lock.json',
    ],
    reason:
      '`packaging/deb/deb.engine.test.ts` installs, upgrades and purges the same packages, runs their programs and has systemd check the units. systemd itself adds what depends on units, scripts of packages, and how programs start and end, and the commands of a page.',
  },
  {
    file: 'local/scenarios/interoperation-shapes.engine.test.ts',
    leftOut: unlessSlow,
    whenSlow: true,
    covers: ['functions/compose/', 'functions/core/deploy/', 'adapters/docker/'],
    reason:
      '`local/scenarios/interoperation.engine.test.ts` hands a project over in both directions, and `local/conformance` compares what docker compose makes of each attribute.',
  },
  {
    file: 'local/scenarios/service-verbs.engine.test.ts',
    leftOut: unlessSlow,
    whenSlow: true,
    covers: ['functions/compose/plan/', 'functions/stacks/services/'],
    reason:
      '`functions/stacks/services` and `functions/compose/plan` have a test of each operation on services, and `local/conformance` compares plans and hashes with docker compose. Here both work on one project in turn.',
  },
  {
    file: 'local/scenarios/one-offs.engine.test.ts',
    leftOut: unlessSlow,
    whenSlow: true,
    covers: ['functions/core/one-offs/', 'functions/stacks/services/run.ts'],
    reason:
      '`functions/stacks/services/run.test.ts` has the rules of one-off containers, and the tests of feeds have their input, output and end. Here the Engine and killed programs take part.',
  },
  {
    file: 'local/scenarios/shared-source.engine.test.ts',
    leftOut: unlessSlow,
    whenSlow: true,
    covers: ['adapters/git/', 'functions/core/sources/', 'functions/core/hooks/'],
    reason:
      '`functions/stacks/source` counts the looks, reads and steps of many stacks of one source in memory, and `local/scenarios/followed-source.engine.test.ts` counts its requests. Here the Engine has 30 stacks of one repository.',
  },
  {
    file: 'local/scenarios/many-pushes.engine.test.ts',
    leftOut: unlessSlow,
    whenSlow: true,
    covers: ['adapters/git/', 'functions/core/sources/', 'functions/core/hooks/'],
    reason:
      '`functions/stacks/source/source.test.ts` has 20 commits while a deployment runs, in memory.',
  },
  {
    file: 'local/scenarios/import-komodo.engine.test.ts',
    leftOut: unlessSlow,
    whenSlow: true,
    covers: ['cli/import/'],
    reason:
      '`cli/import/komodo` compares what is read with fixtures, and `local/scenarios/import-dockge.engine.test.ts` adopts running stacks by the same way.',
  },
  {
    file: 'local/scenarios/agent-machine.timing.test.ts',
    leftOut: unlessSlow,
    whenSlow: true,
    covers: ['adapters/agent/', 'adapters/sidecar/agents/'],
    reason:
      '`local/scenarios/agents.timing.test.ts` kills and suspends agents, and `local/scenarios/agent-faults.timing.test.ts` freezes, cuts and slows their lines. A machine adds a boot and a real cable.',
  },
  {
    file: 'local/client-kills/client-kills.engine.test.ts',
    leftOut: unlessSlow,
    whenSlow: true,
    covers: ['cli/session/'],
    reason:
      '`cli/session` has tests of the lock of a dead process, of the drafts of a killed client, and of readers while a file is written. Here a client is killed thirty times.',
  },
  {
    file: 'local/scenarios/paused-holder.timing.test.ts',
    leftOut: unlessSlow,
    whenSlow: true,
    covers: ['functions/core/leases/'],
    reason:
      '`local/scenarios/killed-verbs.timing.test.ts` pauses the process that restarts a stack, and `functions/core/leases` has a test of each way to lose a lease.',
  },
  {
    file: 'packaging/executables/executables.engine.test.ts',
    leftOut: unlessSlow,
    whenSlow: true,
    covers: ['packaging/executables/'],
    reason:
      '`cli/main.engine.test.ts` runs a command of each kind with the executable of this machine. Those of other processors have the same script.',
  },
  {
    file: 'local/fuzz/fuzz.engine.test.ts',
    leftOut: unlessSlow,
    whenSlow: true,
    covers: ['functions/compose/', 'adapters/node/compose-worker/'],
    reason:
      '`local/hostile.engine.test.ts` and `adapters/node/compose-worker/composer.engine.test.ts` reach each limit of time and memory. A seed adds values at random.',
  },
  {
    file: 'local/scenarios/shared-keys.engine.test.ts',
    leftOut: unlessSlow,
    whenSlow: true,
    covers: ['adapters/node/keys/', 'adapters/node/data/', 'adapters/store/sealed-keys.ts'],
    reason:
      '`adapters/node/data/key-place.engine.test.ts` and `adapters/store/sealed-keys.engine.test.ts` have a test of each of these states and of two processes at once. Here whole services start.',
  },
  {
    file: 'local/conformance/folders.engine.test.ts',
    leftOut: unlessSlow,
    whenSlow: true,
    covers: ['functions/compose/', 'local/conformance/'],
    reason:
      '`local/conformance/projects-folder.engine.test.ts` compares what is made of the same projects with docker compose, and `local/conformance/running.engine.test.ts` brings others up.',
  },
  {
    file: 'local/scenarios/broken-engine.engine.test.ts',
    covers: ['adapters/docker/', 'adapters/sidecar/'],
    leftOut: `9 of 17 faults of a local Engine, one of two behind an agent; ${unlessSlow}`,
    whenSlow: true,
    reason:
      '`adapters/docker/transport` and `adapters/docker/responses` have a test of each fault of a response. The faults left out are of the same kind as one that stays: no connection, no end, half an answer, a refusal, no JSON, no values, another shape, hostile texts.',
  },
  {
    file: 'local/killed-updates/killed-updates.engine.test.ts',
    whenSlow: true,
    covers: ['functions/core/apply-updates/', 'functions/core/backups/restore/'],
    leftOut: `kills at more moments, and some time after each; ${unlessSlow}`,
    reason:
      'Kills in the deploy and while the data goes back stay. `functions/updates` and `functions/stacks/undo.test.ts` end a process at each step of the record.',
  },
  {
    file: 'local/scenarios/killed-functions.engine.test.ts',
    whenSlow: true,
    covers: ['adapters/lambda/', 'local/function-zips/', 'local/harness/lambda/'],
    leftOut: `14 of 20 kills; ${unlessSlow}`,
    reason:
      'A seed chooses the functions and the moments, another one in each run. Every group still makes a change without a kill.',
  },
  {
    file: 'packaging/image/upgrade.engine.test.ts',
    leftOut: unlessSlow,
    whenSlow: true,
    covers: ['functions/core/upgrade/', 'adapters/node/service-upgrade/'],
    reason:
      '`packaging/image/killed-engine.engine.test.ts` upgrades a container of the image and takes a bad one back, with an Engine that is killed. `functions/core/upgrade` has a test of each step and each refusal.',
  },
  {
    file: 'local/sqlite/upgrade.engine.test.ts',
    leftOut: unlessSlow,
    whenSlow: true,
    covers: ['adapters/sqlite/', 'adapters/store/'],
    reason:
      '`local/scenarios/upgrade.engine.test.ts` converts the other store in the same way, and `local/sqlite/same-as-dynamo.engine.test.ts` compares the calls that a conversion makes.',
  },
  {
    file: 'local/journeys/pictures.engine.test.ts',
    leftOut: unlessSlow,
    whenSlow: true,
    covers: ['web/parts/', 'web/styles/'],
    reason:
      '`local/journeys/frame.engine.test.ts` opens the same page of parts in both themes and widths, where axe reads it. Here its pictures are compared, too.',
  },
  {
    file: 'local/journeys/undo-update.engine.test.ts',
    leftOut: unlessSlow,
    whenSlow: true,
    covers: ['web/screens/stack/', 'functions/core/apply-updates/'],
    reason:
      '`local/scenarios/take-updates.engine.test.ts` undoes an update on an Engine, and `local/journeys/stack.engine.test.ts` shows a bad update and allows its image again. Here a person undoes one in the browser, with its data.',
  },
  {
    file: 'packaging/image/killed-engine.engine.test.ts',
    covers: ['functions/core/upgrade/', 'adapters/node/service-upgrade/'],
    leftOut: '4 of 6 steps forward, 4 of 5 steps back',
    reason:
      '`functions/core/upgrade/next-step.test.ts` kills the Engine before and after each step of an upgrade in memory.',
  },
  {
    file: 'functions/stacks/undo-killed.test.ts',
    covers: ['functions/core/apply-updates/', 'functions/core/backups/restore/'],
    leftOut: '11 of 12 kills',
    reason:
      '`functions/stacks/undo.test.ts` ends the process before the restore, in the middle of it and after it.',
  },
  {
    file: 'local/scenarios/damaged-data.engine.test.ts',
    covers: ['adapters/node/data/', 'adapters/node/keys/'],
    leftOut: 'further files that are empty, lost or of another store',
    reason:
      '`check`, `decide-installation`, `lost-keys` and `judge-keys` in `adapters/node/data` have a test of each verdict. A case of each kind shows that the program obeys it.',
  },
  {
    file: 'local/scenarios/backup-targets.engine.test.ts',
    whenSlow: true,
    covers: ['adapters/blobs/', 'functions/core/backups/'],
    leftOut: `parts of a backup from S3 and SFTP, S3 that disappears, a flipped bit in an encrypted backup; ${unlessSlow}`,
    reason:
      'What is restored is chosen before the target is read, and is tried with a directory. SFTP disappears in the first ring. `adapters/blobs` has the contract of targets, lost connections of both and flipped bits of both forms.',
  },
  {
    file: 'local/hostile.engine.test.ts',
    covers: ['functions/compose/', 'adapters/node/compose-worker/'],
    leftOut: '30 of 45 texts',
    reason:
      'They reach a limit that another one reaches too. `adapters/node/compose-worker/composer.engine.test.ts` and `local/fuzz` try the limits of time and memory.',
  },
  {
    file: 'local/scenarios/examples.engine.test.ts',
    covers: ['examples/ansible/'],
    leftOut: 'the Ansible playbook, killed and over a network that loses responses',
    reason:
      'The programs in JavaScript and Python send the same requests over such a network. The playbook runs without losses.',
  },
  {
    file: 'cli/run.test.ts',
    covers: ['cli/', 'packaging/executables/'],
    leftOut: 'its run with the executable of the client',
    reason:
      'The executable has the same script. `cli/main.engine.test.ts` runs a command of each kind with it.',
  },
  {
    file: 'cli/commands/exec.test.ts',
    covers: ['cli/', 'packaging/executables/'],
    leftOut: 'its run with the executable of the client',
    reason: '`cli/main.engine.test.ts` runs a command in a container with it.',
  },
  {
    file: 'local/scenarios/crash.engine.test.ts',
    covers: ['functions/core/deploy/', 'functions/core/leases/'],
    leftOut: 'a kill after the first container',
    reason: 'A kill after the third one also leaves started and missing containers.',
  },
  {
    file: 'local/scenarios/killed-sources.engine.test.ts',
    covers: ['adapters/git/', 'functions/core/sources/', 'functions/core/hooks/'],
    leftOut: `5 of 6 kills; ${unlessSlow}`,
    whenSlow: true,
    reason:
      'A kill in the deployment stays. One write saves what a stack takes, and `functions/stacks/source/source.test.ts` ends a process while it reads a source.',
  },
  {
    file: 'local/scenarios/killed-sweeps.engine.test.ts',
    covers: ['functions/core/audit/'],
    leftOut: `kills of an audit trim after 5 and 120 ms; ${unlessSlow}`,
    whenSlow: true,
    reason:
      'A kill after 60 ms stays. `functions/core/audit/trim.test.ts` interrupts a trim and repeats it, and `functions/core/retention/sweep-expired.test.ts` a sweep.',
  },
  {
    file: 'local/journeys/tls-proxy.engine.test.ts',
    covers: ['adapters/node/hosts/', 'adapters/node/http/'],
    leftOut: 'behind Caddy',
    reason:
      'nginx, which forwards less, is tried; adapters/node/hosts/addresses.test.ts has the headers of both',
  },
  ...journeysOfBothWidths([
    ['account', 1280],
    ['files', 1280],
    ['frame', 390],
    ['logs', 1280],
    ['management', 1280],
    ['new-stack', 390],
    ['stack', 1280],
    ['stacks', 1280],
  ]),
]

/** The paths of the files that a run leaves out if it would take too long. */
export const leftOutWhenSlow = secondRing.filter(({ whenSlow }) => whenSlow).map(({ file }) => file)

/** Returns the list as the table in docs/contributing/second-ring.md. */
export const secondRingTable = () =>
  [
    '| file | left out of `npm test` | reason |',
    '|---|---|---|',
    ...secondRing.map(
      ({ file, leftOut, unlessChanged = [], reason }) =>
        `| \`${file}\` | ${leftOut}${unless(unlessChanged)} | ${reason} |`,
    ),
  ].join('\n')

const unless = (/** @type {readonly string[]} */ places) =>
  places.length === 0
    ? ''
    : `, unless a change touches ${places.map((one) => `\`${one}\``).join(' or ')}`
