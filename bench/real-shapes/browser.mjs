import { z } from 'zod';

const element = () =>
  z
    .string()
    .describe(
      'Description of the element in words that a person understands; it is shown when permission is requested.',
    );
const elementRef = () =>
  z
    .string()
    .regex(/^(?:f\d+)?e\d+$/)
    .describe('Exact reference of the target element, taken from the latest snapshot of the page.');

/**
 * A browser that is driven from outside.
 *
 * @type {readonly import('./index.mjs').RealShape[]}
 */
export const BROWSER = [
  {
    name: 'browser_navigate',
    description: 'Navigate the current tab to an address and wait until the page has loaded.',
    fields: () => ({ url: z.url().describe('Address to navigate to.') }),
    samples: [{ url: 'https://example.com/docs?page=2' }],
  },
  {
    name: 'browser_click',
    description: 'Click an element of the page, with a modifier or another button if needed.',
    fields: () => ({
      element: element(),
      ref: elementRef(),
      doubleClick: z.boolean().optional().describe('Whether to click twice.'),
      button: z
        .enum(['left', 'right', 'middle'])
        .optional()
        .describe('Button to click; the left one by default.'),
      modifiers: z
        .array(z.enum(['Alt', 'Control', 'ControlOrMeta', 'Meta', 'Shift']))
        .optional()
        .describe('Keys that are held down.'),
    }),
    samples: [
      { element: 'Submit button', ref: 'e42', modifiers: ['Shift'] },
      { element: 'Menu', ref: 'f1e7', button: 'right' },
    ],
  },
  {
    name: 'browser_type',
    description: 'Type text into an element that can be edited.',
    fields: () => ({
      element: element(),
      ref: elementRef(),
      text: z.string().describe('Text to type.'),
      submit: z.boolean().optional().describe('Whether to press Enter afterwards.'),
      slowly: z
        .boolean()
        .optional()
        .describe('Whether to type one character at a time, for pages with key handlers.'),
    }),
    samples: [{ element: 'Search box', ref: 'e3', text: 'zod schemas', submit: true }],
  },
  {
    name: 'browser_fill_form',
    description: 'Fill several fields of a form at once.',
    fields: () => ({
      fields: z
        .array(
          z.object({
            name: z.string().min(1).describe('Name of the field for people.'),
            type: z
              .enum(['textbox', 'checkbox', 'radio', 'combobox', 'slider'])
              .describe('Type of the field.'),
            ref: elementRef(),
            value: z
              .string()
              .describe('Value; "true" or "false" for a checkbox, the label of the option for a combobox.'),
          }),
        )
        .min(1)
        .describe('Fields to fill in.'),
    }),
    samples: [
      {
        fields: [
          { name: 'Name', type: 'textbox', ref: 'e5', value: 'Ada' },
          { name: 'Terms', type: 'checkbox', ref: 'e6', value: 'true' },
        ],
      },
    ],
  },
  {
    name: 'browser_take_screenshot',
    description:
      'Take a screenshot of the viewport, of the whole page or of one element. You cannot act on a screenshot: use the snapshot for actions.',
    fields: () => ({
      type: z.enum(['png', 'jpeg']).default('png').describe('Image format.'),
      filename: z.string().optional().describe('Name of the file; made from the time by default.'),
      element: z.string().optional().describe('Description of the element in words.'),
      ref: z.string().optional().describe('Exact reference of the element.'),
      fullPage: z
        .boolean()
        .optional()
        .describe('Whether to take the whole page; not together with an element.'),
    }),
    samples: [{ fullPage: true }, { type: 'jpeg', element: 'Chart', ref: 'e9' }],
  },
  {
    name: 'browser_wait_for',
    description: 'Wait until text appears or disappears, or for a given time.',
    fields: () => ({
      time: z.number().min(0).max(60).optional().describe('Seconds to wait.'),
      text: z.string().optional().describe('Text to wait for.'),
      textGone: z.string().optional().describe('Text to wait for to disappear.'),
    }),
    samples: [{ time: 1.5 }, { text: 'Done' }],
  },
  {
    name: 'browser_tabs',
    description: 'List the tabs, open a new one, close one or select one.',
    fields: () => ({
      action: z.enum(['list', 'new', 'close', 'select']).describe('Operation to perform.'),
      index: z.number().int().nonnegative().optional().describe('Index of the tab, for close and select.'),
    }),
    samples: [{ action: 'select', index: 2 }, { action: 'list' }],
  },
  {
    name: 'puppeteer_screenshot',
    description: 'Take a screenshot of the current page or of a specific element.',
    fields: () => ({
      name: z.string().describe('Name for the screenshot.'),
      selector: z.string().optional().describe('CSS selector of the element.'),
      width: z.number().default(800).describe('Width in pixels.'),
      height: z.number().default(600).describe('Height in pixels.'),
      encoded: z.boolean().optional().describe('Whether to return it as a data URI.'),
    }),
    samples: [
      { name: 'home', width: 1280, height: 720 },
      { name: 'logo', selector: '#logo' },
    ],
  },
  {
    name: 'puppeteer_launch',
    description:
      'Start the browser anew with other options. Dangerous options are rejected unless they are allowed explicitly.',
    fields: () => ({
      url: z.url({ protocol: /^https?$/ }).describe('Address to open first.'),
      allowDangerous: z
        .boolean()
        .default(false)
        .describe('Whether options that reduce security are allowed.'),
      launchOptions: z
        .object({
          headless: z
            .union([z.boolean(), z.literal('shell')])
            .optional()
            .describe('Whether to run without a window.'),
          args: z.array(z.string()).default([]).describe('Arguments of the browser.'),
          defaultViewport: z
            .object({ width: z.int().min(1), height: z.int().min(1) })
            .nullable()
            .optional(),
          timeout: z
            .int()
            .min(0)
            .max(300_000)
            .default(30_000)
            .describe('Milliseconds until starting is given up.'),
        })
        .nullable()
        .default(null)
        .describe('Options of the browser; it is started anew if they change.'),
    }),
    samples: [
      {
        url: 'https://example.com',
        launchOptions: { headless: 'shell', defaultViewport: { width: 800, height: 600 } },
      },
      { url: 'http://localhost:8080/' },
    ],
  },
];
