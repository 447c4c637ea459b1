import { EditorContent, useEditor, type Editor } from '@tiptap/react'
import { useEffect, useRef, useState } from 'react'
import { quoted } from '../../../contract/core/quotes.ts'
import { fileApi, fileKinds } from '../../../contract/platform/files/files.calls.ts'
import { imageSource, isBlankRich, richLength, richLimit } from '../../../contract/core/rich-text.ts'
import { upload } from '../../core/service/api.ts'
import { notify } from '../../core/service/notice.tsx'
import { useAwaited } from '../../core/form/scoped-form.tsx'
import { LinkDialog } from './link-dialog.tsx'
import { pasted } from './paste.ts'
import { richExtensions } from './rich-extensions.ts'
import { RichToolbar } from './rich-toolbar.tsx'
import './rich-text.css'
import { figure } from '../../core/service/figure.ts'

interface RichEditorProps {
  value?: string
  onChange?: (html: string) => void
  id?: string
  label: string
  placeholder?: string
  /** Most characters that are seen, where fewer are taken than the text with its marks may have. */
  max?: number | undefined
  /** For a text that is usually short: the empty field takes less room. */
  isShort?: boolean
}

/** A stored picture that is not in the text yet, and the editor it was chosen in. */
interface Arrived {
  fileId: string
  askedBy: Editor | null
}

/** Writes a text of the contract's elements (rich-text.ts); what shows nothing is the empty text. */
export function RichEditor({
  value = '',
  onChange,
  id,
  label,
  placeholder = `请输入${label}，可从 Word、WPS 粘贴`,
  max,
  isShort = false,
}: RichEditorProps) {
  const picker = useRef<HTMLInputElement>(null)
  const lastValue = useRef(value)
  const [isBusy, setBusy] = useState(false)
  const [isLinking, setLinking] = useState(false)
  const [arrived, setArrived] = useState<readonly Arrived[]>([])
  const whileAwaited = useAwaited()
  // there is none while the tab is behind: the editor ends then, and another comes with the tab
  const editor = useEditor({
    extensions: richExtensions(placeholder),
    content: value,
    // the page allows no style sheets from elsewhere; rich-text.css says what the editor needs
    injectCSS: false,
    editorProps: {
      attributes: {
        ...(id && { id }),
        class: 'rich-area rich-text',
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': label,
      },
      transformPastedHTML: (html) => {
        const taken = pasted(html)
        if (taken.lost > 0) notify('info', `粘贴内容中的 ${taken.lost} 张图片未保留，请用“插入图片”上传`)
        return taken.html
      },
      handlePaste: (_, { clipboardData }) => takeImages(clipboardData),
      handleDrop: (_, event) => takeImages(event.dataTransfer),
    },
    onUpdate: ({ editor: now }) => {
      // the empty paragraph below the last table or image is for the cursor only
      const html = now.getHTML().replace(/(?:<p><\/p>)+$/, '')
      lastValue.current = isBlankRich(html) ? '' : html
      onChange?.(lastValue.current)
    },
  }) as Editor | null

  // a value from outside (the record, a draft) replaces what is shown; what was told by the editor itself does not
  useEffect(() => {
    if (!editor || value === lastValue.current) return
    lastValue.current = value
    editor.commands.setContent(value, { emitUpdate: false })
  }, [editor, value])

  // pictures that arrive while the tab is behind wait for its next editor, and stand at the end: where the cursor was
  // is not known any more
  useEffect(() => {
    if (arrived.length === 0 || !editor || editor.isDestroyed) return
    for (const { fileId, askedBy } of arrived)
      editor
        .chain()
        .focus(askedBy === editor ? null : 'end')
        .setImage({ src: imageSource(fileId), alt: '' })
        .createParagraphNear()
        .run()
    setArrived([])
  }, [editor, arrived])

  const addImages = async (files: readonly File[]) => {
    setBusy(true)
    for (const file of files) {
      if (file.size > fileKinds.image.limit) {
        notify('warning', `${quoted(file.name)}超过 ${fileKinds.image.limitText}`)
        continue
      }
      const stored = await whileAwaited(upload(fileApi.upload, { kind: 'image' }, file)).catch(() => undefined)
      if (stored) setArrived((now) => [...now, { fileId: stored.fileId, askedBy: editor }])
    }
    setBusy(false)
  }
  // what comes with words is a text, whose picture is only a drawing of it
  const takeImages = (data: DataTransfer | null): boolean => {
    const images = [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/'))
    if (images.length === 0 || /<(?:p|table|span)\b/i.test(data!.getData('text/html'))) return false
    void addImages(images)
    return true
  }
  const startLink = (now: Editor) => {
    if (now.isActive('link')) now.commands.extendMarkRange('link')
    setLinking(true)
  }
  const link = (now: Editor, href: string, words: string) => {
    const chain = now.chain().focus()
    if (words === selectedWords(now)) chain.setLink({ href }).run()
    else
      chain
        .insertContent({ type: 'text', text: words, marks: [{ type: 'link', attrs: { href } }] })
        .unsetMark('link')
        .run()
  }
  return (
    <div className={`rich-editor${isShort ? ' is-short' : ''}`}>
      {editor && (
        <RichToolbar
          editor={editor}
          isBusy={isBusy}
          onLink={() => startLink(editor)}
          onPicture={() => picker.current?.click()}
        />
      )}
      <EditorContent editor={editor} />
      <RichLength html={value} label={label} max={max} />
      <input
        ref={picker}
        type="file"
        hidden
        aria-label="选择要插入的图片"
        accept={fileKinds.image.accept}
        multiple
        onChange={(event) => (void addImages([...(event.target.files ?? [])]), (event.target.value = ''))}
      />
      {editor && isLinking && (
        <LinkDialog
          address={editor.getAttributes('link')['href'] as string | undefined}
          selected={selectedWords(editor)}
          onTake={(href, words) => link(editor, href, words)}
          onRemove={() => editor.chain().focus().unsetLink().run()}
          onClose={() => setLinking(false)}
        />
      )}
    </div>
  )
}

const selectedWords = ({ state: { doc, selection } }: Editor): string =>
  doc.textBetween(selection.from, selection.to, ' ')

/** How long the text is, and a word in time when it gets too long. */
function RichLength({ html, label, max }: { html: string; label: string; max: number | undefined }) {
  const count = richLength(html)
  const share = html.length / richLimit
  const isLong = max !== undefined && count > max
  return (
    <div className="rich-foot">
      <span>
        {figure(count)}
        {max !== undefined && ` / ${figure(max)}`} 字
      </span>
      <span role="status" className={share > 1 || isLong ? 'is-over' : ''}>
        {isLong
          ? `${label}已超过 ${figure(max)} 字上限，请删减内容后再保存`
          : share > 1
            ? `${label}已超过 200 KB 上限，请删减内容后再保存`
            : share > 0.9
              ? `${label}接近 200 KB 上限，请适当精简`
              : ''}
      </span>
    </div>
  )
}
