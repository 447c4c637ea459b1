import { z } from 'zod'
import { fullPath, type Call } from '../../../contract/core/call.ts'
import { eventBody, eventKinds, events, type EventKind } from '../../../contract/platform/outbox/events.ts'
import { allCalls } from '../../../contract/index.ts'
import { isOfPersons } from '../../core/http/http.ts'
import { buildInfo } from '../../core/base/build-info.ts'

type Json = Record<string, unknown>

/** The OpenAPI 3.1 document of the whole service, derived from the contract. */
export function openApiDocument(): Json {
  const paths: Record<string, Json> = {}
  for (const { group, name, call } of allCalls) {
    const path = fullPath(call)
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: operation(group, name, call) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: '第二课堂 Console',
      version: buildInfo().version,
      description:
        '校级第二课堂管理服务。除特别说明外，回答为 {code, msg, data}；code 200 成功，300 业务提示（reason 供程序识别），401/40101 请重新登录。请求头 Prefer: handling=strict 时，无权限、不存在、版本过期改以 HTTP 403、404、409 回答，编辑须带 version。导出清单的接口默认给出 .xlsx；请求头 Accept: text/csv 时给出同样内容的 CSV（UTF-8）。',
    },
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: '人员登录后的访问令牌' },
        serviceKey: {
          type: 'http',
          scheme: 'bearer',
          description: '程序密钥，dekt_ 开头，由管理员在“系统集成 → 程序密钥”创建；权限与范围取自其角色',
        },
      },
    },
    paths,
    webhooks: Object.fromEntries(eventKinds.map((kind) => [kind, { post: delivery(kind) }])),
  }
}

/** An event as a receiver gets it. */
const delivery = (kind: EventKind): Json => ({
  operationId: `on_${kind.replace('.', '_')}`,
  summary: events[kind].label,
  tags: ['事件推送'],
  security: [],
  parameters: deliveryHeaders,
  requestBody: { required: true, content: { 'application/json': { schema: schemaOf(eventBody(kind), 'output') } } },
  responses: { '2XX': { description: '已收到；其他答复将重试，410 停止推送' } },
})

const deliveryHeaders: Json[] = [
  ['webhook-id', '事件编号；重试与重新投递时不变，用以去重'],
  ['webhook-timestamp', '本次投递的时间，1970 年以来的秒数'],
  ['webhook-signature', 'v1, 后为 HMAC-SHA256 签名的 Base64，见 Standard Webhooks'],
].map(([name, description]) => ({ name, in: 'header', required: true, schema: { type: 'string' }, description }))

function operation(group: string, name: string, call: Call): Json {
  const input = schemaOf(call.input, 'input')
  const properties = (input['properties'] ?? {}) as Record<string, Json>
  const also = Object.entries(call.alsoNamed).map(([name, field]) => `${name} 即 ${field}`)
  const required = (input['required'] ?? []) as string[]
  const inPath = [...call.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)
  const parameter = (field: string, place: string): Json => ({
    name: field,
    in: place,
    required: place === 'path' || required.includes(field),
    schema: properties[field] ?? {},
    description: labelOf(properties[field]),
  })
  const rest = Object.keys(properties).filter((field) => !inPath.includes(field))
  const inQuery = call.sends === 'query' ? rest : []
  return {
    operationId: `${call.path.split('/').filter(Boolean).join('_').replace(/[{}]/g, '')}_${name}`,
    summary: call.summary,
    ...(also.length > 0 ? { description: `也接受：${also.join('；')}。` } : {}),
    tags: [group],
    'x-permit': call.permit,
    ...(call.needsFreshCode ? { 'x-needs-fresh-code': true } : {}),
    ...(call.permit === 'public'
      ? { security: [] }
      : { security: [{ bearer: [] }, ...(isOfPersons(call) ? [] : [{ serviceKey: [] }])] }),
    parameters: [
      ...inPath.map((field) => parameter(field, 'path')),
      ...inQuery.map((field) => parameter(field, 'query')),
    ],
    ...(call.sends === 'body' ? { requestBody: body(call, input) } : {}),
    responses: { 200: { description: '成功，或 code 300 的业务提示', content: answer(call) } },
  }
}

function body(call: Call, input: Json): Json {
  if (call.takes === 'json') return { content: { 'application/json': { schema: input } } }
  return {
    content: {
      'multipart/form-data': {
        schema: { type: 'object', properties: { file: { type: 'string', format: 'binary' } }, required: ['file'] },
      },
    },
  }
}

function answer(call: Call): Json {
  if (call.gives === 'file') return { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }
  if (call.gives === 'events') return { 'text/event-stream': { schema: { type: 'string' } } }
  const envelope = {
    type: 'object',
    properties: { code: { type: 'integer' }, msg: { type: 'string' }, data: schemaOf(call.output, 'output') },
    required: ['code', 'msg'],
  }
  return { 'application/json': { schema: envelope } }
}

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json
  // a field that is always refused, such as the order of a list that has but one, is nothing to be told of
  if (rest['properties'])
    rest['properties'] = Object.fromEntries(
      Object.entries(rest['properties'] as Record<string, Json>).filter(([, field]) => !('not' in field)),
    )
  return rest
}

const labelOf = (schema: Json | undefined): string => (typeof schema?.['label'] === 'string' ? schema['label'] : '')
