import AlignCenterOutlined from '@ant-design/icons/AlignCenterOutlined'
import AlignLeftOutlined from '@ant-design/icons/AlignLeftOutlined'
import AlignRightOutlined from '@ant-design/icons/AlignRightOutlined'
import BoldOutlined from '@ant-design/icons/BoldOutlined'
import ClearOutlined from '@ant-design/icons/ClearOutlined'
import ItalicOutlined from '@ant-design/icons/ItalicOutlined'
import LineOutlined from '@ant-design/icons/LineOutlined'
import LinkOutlined from '@ant-design/icons/LinkOutlined'
import OrderedListOutlined from '@ant-design/icons/OrderedListOutlined'
import PictureOutlined from '@ant-design/icons/PictureOutlined'
import RedoOutlined from '@ant-design/icons/RedoOutlined'
import StrikethroughOutlined from '@ant-design/icons/StrikethroughOutlined'
import UnderlineOutlined from '@ant-design/icons/UnderlineOutlined'
import UndoOutlined from '@ant-design/icons/UndoOutlined'
import UnorderedListOutlined from '@ant-design/icons/UnorderedListOutlined'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { fileApi, fileKinds } from '../../contract/files/files.calls.ts'
import { fetchFile, upload } from '../core/api.ts'
import { notify } from '../core/notice.tsx'
import { LinkDialog } from './link-dialog.tsx'
import { pasted, pastedText } from './paste.ts'
import { isBlank, parseRich, readRich, toHtml, type RichNode } from './rich-nodes.ts'
import './rich-text.css'

interface RichEditorProps {
  value?: string
  onChange?: (html: string) => void
  id?: string
  label: string
  placeholder?: string
}

type Command = readonly [command: string, label: string, icon: ReactNode]
const marks: readonly Command[] = [['bold', '加粗', <BoldOutlined key="b" />], ['italic', '斜体', <ItalicOutlined key="i" />], ['underline', '下划线', <UnderlineOutlined key="u" />], ['strikeThrough', '删除线', <StrikethroughOutlined key="s" />]]
const lists: readonly Command[] = [['insertUnorderedList', '项目列表', <UnorderedListOutlined key="u" />], ['insertOrderedList', '编号列表', <OrderedListOutlined key="o" />]]
const aligns: readonly Command[] = [['justifyLeft', '左对齐', <AlignLeftOutlined key="l" />], ['justifyCenter', '居中', <AlignCenterOutlined key="c" />], ['justifyRight', '右对齐', <AlignRightOutlined key="r" />]]
const others: readonly Command[] = [['insertHorizontalRule', '分隔线', <LineOutlined key="h" />], ['removeFormat', '清除格式', <ClearOutlined key="c" />], ['undo', '撤销', <UndoOutlined key="u" />], ['redo', '重做', <RedoOutlined key="r" />]]
const styles = [['p', '正文'], ['h2', '大标题'], ['h3', '中标题'], ['h4', '小标题'], ['blockquote', '引用']] as const

/** Writes a text of the contract's elements. The browser edits; whatever it or a paste brings is read anew in our elements before it is kept. */
export function RichEditor({ value = '', onChange, id, label, placeholder = '请输入正文，可从 Word、WPS 粘贴' }: RichEditorProps) {
  const area = useRef<HTMLDivElement>(null)
  const picker = useRef<HTMLInputElement>(null)
  const told = useRef<string | undefined>(undefined)
  const selection = useRef<Range | undefined>(undefined)
  const [active, setActive] = useState<ReadonlySet<string>>(new Set())
  const [block, setBlock] = useState('p')
  const [blank, setBlank] = useState(true)
  const [isBusy, setBusy] = useState(false)
  const [isLinking, setLinking] = useState(false)

  // a value from outside (the record, a draft) replaces what is shown; what was told by the editor itself does not
  useEffect(() => {
    if (!area.current || value === told.current) return
    const nodes = parseRich(value)
    area.current.innerHTML = toHtml(nodes, { live: true })
    told.current = value
    setBlank(isBlank(nodes))
    fillImages(area.current)
  }, [value])
  useEffect(() => {
    const look = () => {
      const range = document.getSelection()?.rangeCount ? document.getSelection()!.getRangeAt(0) : undefined
      if (!range || !area.current?.contains(range.startContainer)) return
      selection.current = range.cloneRange()
      setActive(new Set([...marks, ...lists, ...aligns].filter(([command]) => document.queryCommandState(command)).map(([command]) => command)))
      setBlock(document.queryCommandValue('formatBlock').toLowerCase() || 'p')
    }
    document.addEventListener('selectionchange', look)
    return () => document.removeEventListener('selectionchange', look)
  }, [])

  const tell = () => {
    const nodes = readRich(area.current!)
    const html = isBlank(nodes) ? '' : toHtml(nodes)
    told.current = html
    setBlank(html === '' && !area.current!.querySelector('li, hr'))
    onChange?.(html)
  }
  const back = () => {
    area.current!.focus()
    if (!selection.current) return
    const now = document.getSelection()!
    now.removeAllRanges()
    now.addRange(selection.current)
  }
  const run = (command: string, argument?: string) => {
    back()
    document.execCommand('styleWithCSS', false, 'false')
    document.execCommand(command, false, argument)
    tell()
  }
  const insert = (nodes: readonly RichNode[]) => {
    run('insertHTML', toHtml(nodes, { live: true }))
    fillImages(area.current!)
  }
  const addImages = async (files: readonly File[]) => {
    setBusy(true)
    for (const file of files) {
      if (file.size > fileKinds.image.limit) {
        notify('warning', `“${file.name}”超过 ${fileKinds.image.limitText}`)
        continue
      }
      const stored = await upload(fileApi.upload, { kind: 'image' }, file).catch(() => undefined)
      if (stored) insert([{ tag: 'img', attrs: { file: stored.fileId, alt: '' }, children: [] }, { tag: 'p', attrs: {}, children: [{ tag: 'br', attrs: {}, children: [] }] }])
    }
    setBusy(false)
  }
  const paste = (data: DataTransfer) => {
    const html = data.getData('text/html')
    const images = [...data.files].filter(({ type }) => type.startsWith('image/'))
    if (images.length > 0 && !html.includes('<p')) return void addImages(images)
    if (/<img/i.test(html)) notify('info', '粘贴内容中的图片未保留，请用“插入图片”上传')
    insert(html ? pasted(html) : pastedText(data.getData('text/plain')))
  }
  const button = ([command, words, icon]: Command) => (
    <button key={command} type="button" title={words} aria-label={words} {...(command in { undo: 1, redo: 1, removeFormat: 1, insertHorizontalRule: 1 } ? {} : { 'aria-pressed': active.has(command) })} onMouseDown={(event) => event.preventDefault()} onClick={() => run(command)}>{icon}</button>
  )
  return (
    <div className="rich-editor">
      <div className="rich-toolbar" role="toolbar" aria-label="正文格式">
        <select aria-label="段落样式" value={styles.some(([tag]) => tag === block) ? block : 'p'} onChange={(event) => run('formatBlock', event.target.value)}>{styles.map(([tag, words]) => <option key={tag} value={tag}>{words}</option>)}</select>
        {marks.map(button)}{lists.map(button)}{aligns.map(button)}
        <button type="button" title="插入链接" aria-label="插入链接" onMouseDown={(event) => event.preventDefault()} onClick={() => setLinking(true)}><LinkOutlined /></button>
        <button type="button" title="插入图片" aria-label="插入图片" disabled={isBusy} onClick={() => picker.current?.click()}><PictureOutlined /></button>
        {others.map(button)}
      </div>
      <div
        ref={area}
        id={id}
        className={`rich-area rich-text${blank ? ' is-blank' : ''}`}
        role="textbox"
        tabIndex={0}
        aria-multiline="true"
        aria-label={label}
        data-placeholder={placeholder}
        contentEditable
        suppressContentEditableWarning
        onFocus={() => document.execCommand('defaultParagraphSeparator', false, 'p')}
        onInput={tell}
        onPaste={(event) => (event.preventDefault(), paste(event.clipboardData))}
        onDrop={(event) => (event.preventDefault(), paste(event.dataTransfer))}
      />
      <input ref={picker} type="file" hidden aria-label="选择要插入的图片" accept={fileKinds.image.accept} multiple onChange={(event) => (void addImages([...(event.target.files ?? [])]), (event.target.value = ''))} />
      {isLinking && <LinkDialog onTake={(href, words) => insert([{ tag: 'a', attrs: { href }, children: [words] }])} selected={selection.current?.toString() ?? ''} onClose={() => setLinking(false)} />}
    </div>
  )
}

/** Shows the stored images of a text: their content needs the bearer token, so it is fetched and shown from memory. */
function fillImages(area: HTMLElement): void {
  for (const image of area.querySelectorAll<HTMLImageElement>('img[data-file-id]:not([src])')) {
    void fetchFile(fileApi.view, { id: image.dataset['fileId']! }, { quiet: true })
      .then((blob) => {
        image.addEventListener('load', () => URL.revokeObjectURL(image.src), { once: true })
        image.src = URL.createObjectURL(blob)
      })
      .catch(() => undefined)
  }
}
