import { z } from 'zod'
import type { Call } from '../../../contract/core/call.ts'

interface Entry {
  group: string
  name: string
  path: string
  call: Call
}

/**
 * One page with every call: method, path, right, fields. Plain HTML that folds without script, so that it works offline
 * under the strict content policy.
 */
export function docsPage(entries: Entry[]): string {
  const groups = [...new Set(entries.map(({ group }) => group))]
  const index = groups.map((group) => `<a href="#${esc(group)}">${esc(group)}</a>`).join(' ')
  const sections = groups.map(
    (group) =>
      `<h2 id="${esc(group)}">${esc(group)}</h2>${entries
        .filter((entry) => entry.group === group)
        .map(card)
        .join('')}`,
  )
  return `<!doctype html><html lang="zh-CN"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>接口文档</title><style>${style}</style>
<main><h1>接口文档</h1><p>共 ${entries.length} 个接口。机器可读：<a href="/api/docs/openapi.json">openapi.json</a>（OpenAPI 3.1）</p><nav>${index}</nav>${sections.join('')}</main></html>`
}

function card({ name, path, call }: Entry): string {
  const quirks = [
    call.takes === 'upload' && '上传文件',
    call.gives === 'file' && '返回文件',
    call.gives === 'events' && '事件流',
    call.writes && '写入',
    call.needsFreshCode && '启用动态口令的账号须先再次验证',
  ]
    .filter(Boolean)
    .join(' · ')
  return `<details><summary><b class="${call.method.toLowerCase()}">${call.method}</b> <code>${esc(path)}</code> <span>${esc(call.summary)}</span></summary>
<p>名称 <code>${esc(name)}</code>，权限 <code>${esc(call.permit)}</code>${quirks && `，${quirks}`}</p>
<h3>参数</h3><pre>${esc(shape(call.input, 'input'))}</pre>${call.gives === 'file' ? '' : `<h3>回答的 data</h3><pre>${esc(shape(call.output, 'output'))}</pre>`}</details>`
}

/** A schema as an indented outline: field, kind, label. */
function shape(schema: z.ZodType, io: 'input' | 'output'): string {
  return outline(z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json, 0) || '（无）'
}

type Json = {
  type?: string
  properties?: Record<string, Json>
  items?: Json
  required?: string[]
  anyOf?: Json[]
  enum?: string[]
  label?: string
  format?: string
}

function outline(node: Json, depth: number): string {
  const pad = '  '.repeat(depth)
  if (node.items) return outline(node.items, depth)
  return Object.entries(node.properties ?? {})
    .map(
      ([field, child]) =>
        `${pad}${field}${node.required?.includes(field) ? '' : '?'}: ${kind(child)}${child.label ? `  ${child.label}` : ''}\n${outline(child, depth + 1)}`,
    )
    .join('')
}

const kind = (node: Json): string =>
  node.enum
    ? node.enum.map((value) => `'${value}'`).join(' | ')
    : node.anyOf
      ? node.anyOf.map(kind).join(' | ')
      : node.items
        ? `${kind(node.items)}[]`
        : (node.format ?? node.type ?? 'any')

const esc = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[character]!)

const style = `body{font:14px/1.6 system-ui,"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif;color:#1b2430;background:#f4f6f9;margin:0}main{max-width:960px;margin:0 auto;padding:24px}
nav a{display:inline-block;margin:0 12px 4px 0}a{color:#2458c5}details{background:#fff;border:1px solid #e6eaf0;border-radius:8px;margin:8px 0;padding:8px 16px}summary{cursor:pointer;overflow-wrap:anywhere}
summary b{display:inline-block;min-width:56px}.get{color:#17663f}.post{color:#1f4fb0}.delete{color:#a82b2b}pre{background:#f7f9fc;padding:12px;border-radius:6px;overflow:auto}h3{font-size:14px;margin:8px 0 4px}summary span{color:#4a5666;margin-left:8px}`
