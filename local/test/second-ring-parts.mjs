import { otherEngines } from '../setup/other-engine.mjs'
import { secondRing } from './second-ring.mjs'
import { projectsOfSecondRing } from './whole-run.mjs'

/**
 * A part of what a release needs beside `npm test`.
 *
 * @typedef {object} Part
 * @property {string} name
 * @property {string} command runs it, and records how it ended
 * @property {readonly string[]} covers folders and files: a run before their last change is too old
 * @property {readonly string[]} [program] the command line of a part that vitest does not run
 */

const stores = ['adapters/store/', 'adapters/dynamo/', 'local/harness/lagging-store/']

/** @type {Record<string, readonly string[]>} */
const coveredByProject = {
  'engine-lagging-store': stores,
  'scenarios-lagging-store': [...stores, 'functions/core/leases/', 'functions/core/deploy/'],
  'scenarios-functions': ['adapters/lambda/', 'local/function-zips/', 'local/harness/lambda/'],
}

const engines = ['adapters/docker/', 'local/setup/other-engine.mjs', 'local/setup/other-engine.sh']

/** The name of the most important files on a newer Engine, which each whole run ends with. */
export const mainTestsPart = 'main tests on Docker Engine 28'

/** Returns the name of the part that is all tests on another Engine. */
export const enginePart = (/** @type {string} */ name) => `Docker Engine ${name}`

/** The versions of Node.js, beside the oldest one, that the service is promised to run on. */
const nodeVersions = [22, 24]

/** Returns the name of the part that is both rings on a version of Node.js. */
export const nodePart = (/** @type {number} */ major) => `Node.js ${major}`

/**
 * Every part of the second ring.
 *
 * @type {readonly Part[]}
 */
export const parts = [
  ...secondRing.map(({ file, covers = [], unlessChanged = [] }) => ({
    name: file,
    command: `npm test -- --all ${file}`,
    covers: [file, ...covers, ...unlessChanged],
  })),
  ...projectsOfSecondRing.map((name) => ({
    name,
    command: `npm test -- --all --project=${name}`,
    covers: coveredByProject[name] ?? [],
  })),
  { name: mainTestsPart, command: 'npm test -- --all', covers: engines },
  ...otherEngines.map((name) => ({
    name: enginePart(name),
    command: `npm test -- --engine ${name}`,
    covers: engines,
  })),
  ...nodeVersions.map((major) => ({
    name: nodePart(major),
    command: `npm test -- --all, with Node.js ${major}`,
    covers: [
      'package-lock.json',
      'adapters/node/start/',
      'adapters/node/process/',
      'packaging/build/build.mjs',
    ],
  })),
  {
    name: 'mutation',
    command: 'npm test -- --all mutation',
    covers: [
      ...['functions/core/access/', 'functions/core/owners/', 'functions/compose/policy/'],
      ...['functions/kit/', 'serverless.ts', 'local/mutation/'],
    ],
    program: ['npm', 'run', 'mutate', '--', '--write'],
  },
  {
    name: 'fuzz',
    command: 'npm test -- --all fuzz',
    covers: ['functions/compose/', 'adapters/node/compose-worker/', 'local/fuzz/'],
    program: ['npm', 'run', 'fuzz', '--', 'compose'],
  },
]
