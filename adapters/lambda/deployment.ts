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

/** Variables of the service that functions take from the packager. Empty ones have no effect. */
const passedOn = [
  'SERVICE_BASE_URL',
  // Functions serve no feeds. Without an address, clients look for them at the gateway.
  'SERVICE_FEEDS_URL',
  // Without one, hosts are offline.
  'SERVICE_INTERNAL_ADDRESS',
  'SERVICE_OUTBOUND_ALLOW',
  'SERVICE_STACKS_DIR',
]

/** Returns a variable of osls: the value in the environment of the packager, or an empty text. */
const fromPackager = (name: string) => `\${env:${name}, ''}`

interface DeploymentOptions {
  prefix: string
  routes: Routes
  /** The environment of the packager. */
  env?: Record<string, string | undefined>
}

/**
 * Returns the configuration of osls, a fork of the Serverless Framework 3: a function per folder of
 * resources with its own role, an HTTP API in front of them, and the two tables.
 *
 * @throws Error if the packager names only subnets or only security groups
 */
export function deployment({ prefix, routes, env = process.env }: DeploymentOptions) {
  const groups = groupsOf(routes)
  const network = networkFrom(env)
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
        ...Object.fromEntries(passedOn.map((name) => [name, fromPackager(name)])),
      },
    },
    functions: Object.fromEntries(
      groups.map((group) => [group.name, functionOf(group, prefix, network)]),
    ),
    resources: {
      Resources: {
        ItemsTable: tableResource(table),
        LogsTable: tableResource(logsTable(table)),
        ...Object.fromEntries(
          groups.map(({ name }) => [roleName(name), roleResource(name, network)]),
        ),
      },
    },
  }
}

/** Where functions are, in the form of osls. */
interface Network {
  subnetIds: string[]
  securityGroupIds: string[]
}

/** Returns the network that the packager names with comma-separated ids, or undefined. */
function networkFrom(env: NonNullable<DeploymentOptions['env']>): Network | undefined {
  const subnetIds = idsIn(env.FUNCTIONS_SUBNETS)
  const securityGroupIds = idsIn(env.FUNCTIONS_SECURITY_GROUPS)
  if (subnetIds.length === 0 && securityGroupIds.length === 0) return undefined
  if (subnetIds.length === 0 || securityGroupIds.length === 0) {
    throw new Error('set both FUNCTIONS_SUBNETS and FUNCTIONS_SECURITY_GROUPS, or none of them')
  }
  return { subnetIds, securityGroupIds }
}

const idsIn = (list = '') => list.split(',').flatMap((id) => id.trim() || [])

/** Returns whether a function uses the store. Others need neither its key nor a network. */
const usesStore = (group: string) => actionsOf(group).items.length > 0

function functionOf({ name, routes }: FunctionGroup, prefix: string, network?: Network) {
  return {
    handler: 'main.handler',
    package: { artifact: `dist/functions/${name}.zip` },
    role: { 'Fn::GetAtt': [roleName(name), 'Arn'] },
    ...(hashing.includes(name) && { memorySize: memoryForPasswords }),
    ...(usesStore(name) && { environment: secretsOf(name), ...(network && { vpc: network }) }),
    events: routes.map((route) => ({ httpApi: route.replace(' ', ` ${prefix}`) })),
  }
}

/** Returns the secrets of a function. Only the set-up asks for its secret. */
const secretsOf = (group: string) => ({
  SERVICE_SECRET_KEY: `{{resolve:secretsmanager:${table}-secret-key}}`,
  ...(group === 'setup' && { SERVICE_SETUP_SECRET: fromPackager('SERVICE_SETUP_SECRET') }),
})

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

function roleResource(group: string, network?: Network): Resource {
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
            ...(network && usesStore(group) ? networkInterfaces(group) : []),
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

/**
 * Each function looks for the keys that the store needs when it starts, and may use the index for
 * that. Only work in the background queries the index of the other table.
 */
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

const interfaceActions = [
  'ec2:CreateNetworkInterface',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DescribeSubnets',
  'ec2:DeleteNetworkInterface',
  'ec2:AssignPrivateIpAddresses',
  'ec2:UnassignPrivateIpAddresses',
]

/**
 * Lambda connects a function to subnets with the role of the function. The second statement keeps
 * the code of the function from the same actions.
 */
const networkInterfaces = (group: string) => [
  { Effect: 'Allow', Action: interfaceActions, Resource: ['*'] },
  {
    Effect: 'Deny',
    Action: interfaceActions,
    Resource: ['*'],
    Condition: {
      ArnEquals: {
        'lambda:SourceFunctionArn': {
          'Fn::Sub': `arn:\${AWS::Partition}:lambda:\${AWS::Region}:\${AWS::AccountId}:function:${service}-${stage}-${group}`,
        },
      },
    },
  },
]
