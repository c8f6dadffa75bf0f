import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { compareAnswers } from './compare-model.ts'
import { askOracle } from './oracle.ts'
import { ourModel } from './our-model.ts'
import { compareModel, projectsIn } from './projects.ts'

const folder = fileURLToPath(new URL('projects', import.meta.url))
const projects = projectsIn(folder)
/** Projects that docker compose 2.26 cannot read yet. */
const newer = ['matomo-keycloak', 'newer-syntax']

test('has at least sixty valid projects and eight rejected ones', () => {
  const refused = projects.filter(({ directory }) => existsSync(join(directory, 'expected.error')))
  expect(projects.length - refused.length).toBeGreaterThanOrEqual(60)
  expect(refused.length).toBeGreaterThanOrEqual(8)
})

test.each(projects)('$name matches its expectation', (project) => {
  const verdict = compareModel(project)
  expect(verdict).toMatchObject({ against: 'expected', differences: [] })
})

test('agrees with docker compose on all projects that it can read', () => {
  const differing = projects
    .filter(({ name }) => !newer.includes(name))
    .map(({ name, directory }) => ({ name, directory, theirs: askOracle(directory) }))
    .flatMap(({ name, directory, theirs }) =>
      theirs ? compareAnswers(ourModel(directory), theirs).map((line) => `${name}: ${line}`) : name,
    )
  expect(differing).toEqual([])
})
