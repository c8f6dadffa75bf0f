import { expect, test } from 'vitest'
import { kindUses } from './kind-comparisons.ts'
import { withProgram } from './program.ts'
import { walkFrom } from './request-walk.ts'

test('the rules of a deployment are read from the table of kinds', () => {
  withProgram((files, checker) => {
    const { comparisons, lookups } = kindUses(files, checker)
    expect(comparisons).toEqual([])
    expect(lookups.join('\n')).toMatch(/deployment-kinds\.ts:\d+: kindRules\[kind\]/)
    const walk = walkFrom(
      files,
      'functions/core/deploy/deploy.ts',
      'startDeployment',
      'DeploymentRequest',
    )
    expect(walk.rooms).toContain('functions/core/deploy/finish.ts')
  })
})
