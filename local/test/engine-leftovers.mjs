import { isLikelyTestName, isUnique } from './test-names.mjs'

const projectLabel = 'com.docker.compose.project'
const directoryLabel = 'com.docker.compose.project.working_dir'
const helperLabel = 'container-stacks.internal'

/** What the Engine lists, in its format. */
/** @typedef {{ [label: string]: string | undefined } | null} Labels */
/** @typedef {{ Type: string, Name?: string, Source?: string }} Mount */
/**
 * @typedef {object} Container
 * @property {string} Id
 * @property {string[]} Names
 * @property {string} Image
 * @property {Labels} Labels
 * @property {Mount[]} Mounts
 */
/** @typedef {{ Id: string, Name: string, Labels: Labels }} Network */
/** @typedef {{ Name: string, Labels: Labels }} Volume */
/** @typedef {{ Id: string, RepoTags: string[] | null, Labels: Labels }} Image */
/**
 * @typedef {object} Lists
 * @property {Container[]} containers
 * @property {Network[]} networks
 * @property {Volume[]} volumes
 * @property {Image[]} images
 */

/**
 * Returns what killed tests left on an Engine: the IDs of containers, the names of volumes, and the
 * names of images, or the IDs of those without.
 *
 * `unique()` marks the names of tests, and so do directories of tests that containers come from or
 * mount. Other names of tests could be those of other programs. So such a container must also be
 * one of busybox, such a network must not belong to a project with other containers, and a volume
 * must belong to a project whose containers are all of tests.
 *
 * @param {Lists} lists
 * @param {(path: string) => boolean} isTestPath
 * @param {(pid: number) => boolean} isAlive
 */
export function leftOnEngine({ containers, networks, volumes, images }, isTestPath, isAlive) {
  const isLikely = (/** @type {string} */ name) => isLikelyTestName(name, isAlive)
  const sure = containers.filter((one) => isSurelyOfTests(one, isTestPath, isLikely))
  const likely = containers.filter((one) => !sure.includes(one) && isProbablyOfTests(one, isLikely))
  const others = containers.filter((one) => !sure.includes(one) && !likely.includes(one))
  const projectsOf = (/** @type {Container[]} */ some) => new Set(some.flatMap(projectOf))
  const foreign = projectsOf(others)
  const ofTests = projectsOf([...sure, ...likely])
  const isForeign = (/** @type {{ Labels: Labels }} */ one) =>
    projectOf(one).some((project) => foreign.has(project))
  const isOfTests = (/** @type {{ Labels: Labels }} */ one) =>
    projectOf(one).some((project) => isUnique(project) || ofTests.has(project)) && !isForeign(one)
  return {
    containers: [...sure, ...likely.filter((one) => !isForeign(one))].map(({ Id }) => Id),
    networks: networks
      .filter(
        (one) =>
          isUnique(one.Name) ||
          isOfTests(one) ||
          (projectOf(one).some(isLikely) && !isForeign(one)),
      )
      .map(({ Id }) => Id),
    volumes: volumes.filter((one) => isUnique(one.Name) || isOfTests(one)).map(({ Name }) => Name),
    images: images.flatMap((one) => {
      const tags = (one.RepoTags ?? []).filter((tag) => tag !== '<none>:<none>')
      // Tests build the project's image with such a version.
      const marked = tags.filter((tag) => tag.split(/\/|:0\.0\.0-/).some(isUnique))
      if (!isOfTests(one)) return marked
      return tags.length > 0 ? tags : [one.Id]
    }),
  }
}

/** @type {(one: { Labels: Labels }) => string[]} */
const projectOf = ({ Labels }) => {
  const project = Labels?.[projectLabel]
  return project ? [project] : []
}

/** @type {(one: Container) => string[]} */
const namesOf = ({ Names }) => Names.map((name) => name.replace(/^\//, ''))

/**
 * @param {Container} one
 * @param {(path: string) => boolean} isTestPath
 * @param {(name: string) => boolean} isLikely
 */
function isSurelyOfTests(one, isTestPath, isLikely) {
  if ([...namesOf(one), ...projectOf(one)].some(isUnique)) return true
  if (isTestPath(one.Labels?.[directoryLabel] ?? '')) return true
  return one.Mounts.some(({ Type, Name = '', Source = '' }) =>
    Type === 'volume' ? isUnique(Name) || (isHelper(one) && isLikely(Name)) : isTestPath(Source),
  )
}

/** Helpers have no data, and no living test uses one. */
const isHelper = (/** @type {Container} */ one) =>
  one.Labels?.[helperLabel] !== undefined &&
  namesOf(one).some((name) => /^container-stacks-[0-9a-f]{16}$/.test(name))

/** @type {(one: Container, isLikely: (name: string) => boolean) => boolean} */
function isProbablyOfTests(one, isLikely) {
  const isBusybox = /^busybox(?::latest)?$/.test(one.Image)
  return isBusybox && [...namesOf(one), ...projectOf(one)].some(isLikely)
}
