import LinkOutlined from '@ant-design/icons/LinkOutlined'
import PictureOutlined from '@ant-design/icons/PictureOutlined'
import { useEditorState, type Editor } from '@tiptap/react'
import { useState, type KeyboardEvent } from 'react'
import { richStyles, richTools, tableTools, type RichTool } from './rich-tools.tsx'

interface RichToolbarProps {
  editor: Editor
  isBusy: boolean
  onLink: () => void
  onPicture: () => void
}

/**
 * The tools of a text: one stop of the Tab key, within which the arrow keys go from tool to tool (WAI-ARIA toolbar).
 */
export function RichToolbar({ editor, isBusy, onLink, onPicture }: RichToolbarProps) {
  const [stop, setStop] = useState('段落样式')
  const state = useEditorState({
    editor,
    selector: ({ editor: now }) => ({
      style: richStyles.find(({ isOn }) => isOn(now))!.value,
      on: richTools
        .flat()
        .filter(({ isOn }) => isOn?.(now))
        .map(({ words }) => words),
      off: [...richTools.flat(), ...tableTools]
        .filter(({ isOn, run }) => !isOn && !run(now.can().chain()).run())
        .map(({ words }) => words),
      inTable: now.isActive('table'),
      inLink: now.isActive('link'),
    }),
  })
  const tool = (name: string) => ({
    'aria-label': name,
    'data-tool': name,
    tabIndex: name === stop ? 0 : -1,
    onFocus: () => setStop(name),
  })
  const button = ({ words, keys, icon, run, isOn }: RichTool) => (
    <button
      key={words}
      type="button"
      {...tool(words)}
      title={keys ? `${words}（${keys}）` : words}
      disabled={state.off.includes(words)}
      {...(isOn && { 'aria-pressed': state.on.includes(words) })}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => run(editor.chain().focus()).run()}
    >
      {icon}
    </button>
  )
  const [marks, ...others] = richTools
  return (
    <div className="rich-toolbar" role="toolbar" aria-label="正文格式" onKeyDown={goOn}>
      <select
        {...tool('段落样式')}
        value={state.style}
        onChange={(event) =>
          richStyles
            .find(({ value }) => value === event.target.value)!
            .run(editor.chain().focus())
            .run()
        }
      >
        {[...richStyles].reverse().map(({ value, words }) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
      <span className="rich-group">{marks!.map(button)}</span>
      <span className="rich-group">
        <button
          type="button"
          {...tool('插入链接')}
          title="插入链接"
          aria-pressed={state.inLink}
          onMouseDown={(event) => event.preventDefault()}
          onClick={onLink}
        >
          <LinkOutlined />
        </button>
        <button type="button" {...tool('插入图片')} title="插入图片" disabled={isBusy} onClick={onPicture}>
          <PictureOutlined />
        </button>
      </span>
      {others.map((group) => (
        <span key={group[0]!.words} className="rich-group">
          {group.map(button)}
        </span>
      ))}
      {state.inTable && <span className="rich-group is-table">{tableTools.map(button)}</span>}
    </div>
  )
}

/** Arrow keys, Home and End go from tool to tool. */
function goOn(event: KeyboardEvent<HTMLDivElement>): void {
  const tools = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-tool]:not(:disabled)')]
  const at = tools.indexOf(event.target as HTMLElement)
  const to = {
    ArrowRight: (at + 1) % tools.length,
    ArrowLeft: (at - 1 + tools.length) % tools.length,
    Home: 0,
    End: tools.length - 1,
  }[event.key]
  if (at < 0 || to === undefined) return
  event.preventDefault()
  tools[to]!.focus()
}
