import type { Routes } from '../../functions/kit/manifest.ts'
import { expiry, indexName, logsTable, tableDefinition } from '../dynamo/table-definition.ts'
import { type FunctionGroup, groupsOf } from './groups.ts'
import { actionsOf } from './permissions.ts'

/** A resource of a CloudFormation template. */
interface Resource {
  Type: string
  Properties: object
  DeletionPolicy?: string
  UpdateReplacePolicy?: string
}

const service = 'container-stacks'
const stage = '${sls:stage}'
const table = `${service}-${stage}`

/** Seconds. The gateway waits 30 s for an integration. */
const timeout = 29

/** Megabytes, which also decide the share of a CPU. Hashing a password takes the most. */
const memory = 512
const memoryForPasswords = 1024
const hashing = ['auth', 'me', 'setup', 'users']

/**
 * Returns the configuration of osls, a fork of the Serverless Framework 3: a function per folder of
 * resources with its own role, an HTTP API in front of them, and the two tables.
 */
export function deployment({ prefix, routes }: { prefix: string; routes: Routes }) {
  const groups = groupsOf(routes)
  return {
    service,
    frameworkVersion: '^3.77.0',
    configValidationMode: 'error',
    package: { individually: true },
    provider: {
      name: 'aws',
      runtime: 'nodejs24.x',
      architecture: 'x86_64',
      timeout,
      memorySize: memory,
      // A version of each function would be a resource of its own.
      versionFunctions: false,
      logRetentionInDays: 30,
      httpApi: { payload: '2.0' },
      environment: {
        SERVICE_DYNAMODB_REGION: { Ref: 'AWS::Region' },
        SERVICE_DYNAMODB_TABLE: table,
        SERVICE_KEYS: 'store',
        // From the environment of the packager. Without one, hosts are offline.
        SERVICE_INTERNAL_ADDRESS: "${env:SERVICE_INTERNAL_ADDRESS, ''}",
        // Functions serve no feeds. Without an address, clients look for them at the gateway.
        SERVICE_FEEDS_URL: "${env:SERVICE_FEEDS_URL, ''}",
        SERVICE_SECRET_KEY: `{{resolve:secretsmanager:${table}-secret-key}}`,
      },
    },
    functions: Object.fromEntries(groups.map((group) => [group.name, functionOf(group, prefix)])),
    resources: {
      Resources: {
        ItemsTable: tableResource(table),
        LogsTable: tableResource(logsTable(table)),
        ...Object.fromEntries(groups.map(({ name }) => [roleName(name), roleResource(name)])),
      },
    },
  }
}

function functionOf({ name, routes }: FunctionGroup, prefix: string) {
  return {
    handler: 'main.handler',
    package: { artifact: `dist/functions/${name}.zip` },
    role: { 'Fn::GetAtt': [roleName(name), 'Arn'] },
    ...(hashing.includes(name) && { memorySize: memoryForPasswords }),
    events: routes.map((route) => ({ httpApi: route.replace(' ', ` ${prefix}`) })),
  }
}

/** The tables stay when the stack of CloudFormation is deleted. */
const tableResource = (name: string): Resource => ({
  Type: 'AWS::DynamoDB::Table',
  DeletionPolicy: 'Retain',
  UpdateReplacePolicy: 'Retain',
  Properties: { TableName: name, ...tableDefinition, TimeToLiveSpecification: expiry },
})

/** Returns `AlertRulesRole` for `alert-rules`. */
const roleName = (group: string) =>
  `${group.replace(/(?:^|-)(\w)/g, (_, first: string) => first.toUpperCase())}Role`

function roleResource(group: string): Resource {
  const { items, logs } = actionsOf(group)
  return {
    Type: 'AWS::IAM::Role',
    Properties: {
      AssumeRolePolicyDocument: policy([
        {
          Effect: 'Allow',
          Principal: { Service: 'lambda.amazonaws.com' },
          Action: 'sts:AssumeRole',
        },
      ]),
      Policies: [
        {
          PolicyName: 'function',
          PolicyDocument: policy([
            ...onTable('ItemsTable', items),
            ...onTable('LogsTable', logs),
            ...(items.includes('Query') ? [onIndex] : []),
            ownLog(group),
          ]),
        },
      ],
    },
  }
}

const policy = (Statement: object[]) => ({ Version: '2012-10-17', Statement })

/** Returns the statement for the actions on a table, if there are any. */
const onTable = (resource: string, actions: readonly string[]) =>
  actions.length === 0 ? [] : [allow(actions, { 'Fn::GetAtt': [resource, 'Arn'] })]

const allow = (actions: readonly string[], resource: object) => ({
  Effect: 'Allow',
  Action: actions.map((action) => `dynamodb:${action}`),
  Resource: [resource],
})

/** Only work in the background queries the index of the other table. */
const onIndex = allow(['Query'], {
  'Fn::Join': ['/', [{ 'Fn::GetAtt': ['ItemsTable', 'Arn'] }, 'index', indexName]],
})

const ownLog = (group: string) => ({
  Effect: 'Allow',
  Action: ['logs:CreateLogStream', 'logs:PutLogEvents'],
  Resource: [
    {
      'Fn::Sub': `arn:\${AWS::Partition}:logs:\${AWS::Region}:\${AWS::AccountId}:log-group:/aws/lambda/${service}-${stage}-${group}:*`,
    },
  ],
})
