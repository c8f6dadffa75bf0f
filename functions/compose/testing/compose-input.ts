import type { ComposeInput } from '../project.ts'

/**
 * Returns the input by which the files of a stack `shop` are loaded, for a caller who may use only
 * the stack's own directory.
 */
export const composeInput = (
  files: Record<string, string>,
  more: Partial<ComposeInput> = {},
): ComposeInput => ({
  name: 'shop',
  directory: '/srv/shop',
  composeFiles: ['compose.yaml'],
  files,
  environment: {},
  profiles: [],
  reach: 'stack',
  ...more,
})
