import { z } from 'zod'
import { problemsMax } from '../compose/diagnose/diagnose.ts'
import { StackName } from '../kit/params.ts'
import { FilesChange } from './files/schema.ts'
import { EnvironmentName, Overlays, Text } from './schema.ts'

export const StackToValidate = z
  .strictObject({
    stack: StackName.optional().describe(
      'Name of the stack whose stored files are used where none are sent',
    ),
    revision: z
      .int()
      .optional()
      .describe('Revision of the stored files; defaults to the current one'),
    compose: Text.optional().describe('Text of `compose.yaml`; required without `stack`'),
    env: Text.nullable().optional().describe('Text of `.env`; `null` for none'),
    overlays: Overlays.optional().describe('All overlays by environment name'),
    files: FilesChange.optional(),
    environment: EnvironmentName.optional().describe(
      'Overlay to apply; by default the files are checked without one and with each',
    ),
  })
  .meta({
    id: 'StackToValidate',
    examples: [{ stack: 'shop', compose: 'services:\n  web:\n    imagee: nginx:1.29\n' }],
  })

export const StackProblem = z
  .object({
    path: z.string().describe('Path of the file in the directory of the stack'),
    line: z.int().describe('Line, from 1'),
    column: z.int().describe('Column, from 1'),
    severity: z.enum(['error', 'warning']).meta({
      description:
        '`error`: you cannot save or deploy the files like this. What needs stacks:privileged is an error if you do not have it',
    }),
    message: z.string().describe('Where in the compose file it is, and what is wrong'),
  })
  .meta({
    id: 'StackProblem',
    examples: [
      {
        path: 'compose.yaml',
        line: 3,
        column: 5,
        severity: 'error',
        message:
          "services.web.imagee: additional properties 'imagee' not allowed; did you mean image?",
      },
    ],
  })

export const StackProblems = z.array(StackProblem).max(problemsMax)
