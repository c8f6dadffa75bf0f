import { patternTree } from '../../yaml/tree.ts'
import type { AttributeGroup, Section } from './attribute.ts'
import { build } from './build.ts'
import { container } from './container.ts'
import { serviceFiles, topLevel } from './files.ts'
import { isolation } from './isolation.ts'
import { limits } from './limits.ts'
import { networking } from './networking.ts'
import { operation } from './operation.ts'
import { resources } from './resources.ts'
import { storage } from './storage.ts'

/** Every attribute of compose files: its effect, and who may use it. */
export const sections: readonly Section[] = [
  ...[container, limits, isolation, storage, networking, operation, build, serviceFiles],
  ...[resources, topLevel],
]

/** Returns the full paths of a group's attributes in the schema. */
export const pathsOf = ({ at }: Section, { attributes }: AttributeGroup): string[] =>
  attributes.map((attribute) => (at === '' ? attribute : `${at}.${attribute}`))

/** Attributes of the resolved model that no file sets: the loader derives them from others. */
const resolved: AttributeGroup = {
  attributes: ['secrets.*.content'],
  derived: 'The value of the variable that `environment` names',
  by: 'this service',
  who: 'anyone',
  allowed: [],
}

/** Attribute groups by path. */
export const attributeTree = patternTree<AttributeGroup>(
  Object.fromEntries([
    ...resolved.attributes.map((path) => [path, resolved] as const),
    ...sections.flatMap((section) =>
      section.groups.flatMap((group) =>
        pathsOf(section, group).map((path) => [path, group] as const),
      ),
    ),
  ]),
)
