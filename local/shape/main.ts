import { kindUses } from './kind-comparisons.ts'
import { withProgram } from './program.ts'
import { walkFrom } from './request-walk.ts'

/**
 * Prints where functions/ compares the kind of a deployment, and through which files a deployment's
 * request goes.
 */
withProgram((files, checker) => {
  const { comparisons, lookups } = kindUses(files, checker)
  const places = new Set(comparisons.map((one) => one.split(':')[0]))
  console.log([...comparisons, ...lookups].join('\n'))
  console.log(
    `the kind of a deployment: ${comparisons.length} comparisons in ${places.size} files, ` +
      `${lookups.length} lookups in a table\n`,
  )

  const walk = walkFrom(
    files,
    'functions/core/deploy/deploy.ts',
    'startDeployment',
    'DeploymentRequest',
  )
  if (process.argv.includes('--stays')) console.log(walk.stays.join('\n'))
  const { stays, rooms, returns } = walk
  console.log(
    `the request of a deployment: ${stays.length} stays in ${rooms.length} files, ` +
      `${returns} returns`,
  )
})
