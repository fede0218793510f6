import { z } from 'zod';

const amount = () =>
  z
    .int()
    .min(1)
    .max(99_999_999)
    .describe(
      'Amount in the smallest unit of the currency, such as cents. Zero-decimal currencies use the amount as it is.',
    );
const currency = () =>
  z
    .string()
    .regex(/^[a-z]{3}$/)
    .default('usd')
    .describe('Three-letter ISO 4217 code in lower case.');
const customer = () =>
  z
    .string()
    .regex(/^cus_[A-Za-z0-9]+$/)
    .describe('ID of the customer, which begins with cus_.');
const metadata = () =>
  z
    .record(z.string(), z.string())
    .optional()
    .describe(
      'Set of up to 50 key-value pairs to attach to the object, for your own structured information.',
    );

/**
 * Customers, invoices and refunds.
 *
 * @type {readonly import('./index.mjs').RealShape[]}
 */
export const PAYMENTS = [
  {
    name: 'create_customer',
    description: 'Create a customer in the payment system.',
    fields: () => ({
      name: z.string().min(1).max(256).describe('Full name of the customer.'),
      email: z.email().optional().describe('Email address of the customer.'),
      phone: z
        .string()
        .regex(/^\+[1-9]\d{6,14}$/)
        .optional()
        .describe('Phone number in E.164 format.'),
      address: z
        .object({
          line1: z.string().min(1),
          line2: z.string().nullable().optional(),
          city: z.string().min(1),
          postal_code: z.string().max(20),
          country: z.string().length(2).describe('ISO 3166-1 alpha-2 code.'),
        })
        .optional()
        .describe('Billing address.'),
      metadata: metadata(),
    }),
    samples: [
      {
        name: 'Ada Lovelace',
        email: 'ada@example.com',
        phone: '+441234567890',
        address: { line1: '1 Main St', line2: null, city: 'London', postal_code: 'N1', country: 'GB' },
        metadata: { tier: 'gold' },
      },
      { name: 'Bob' },
    ],
  },
  {
    name: 'create_payment_link',
    description: 'Create a link where customers pay for one or more prices.',
    fields: () => ({
      line_items: z
        .array(
          z.object({
            price: z
              .string()
              .regex(/^price_[A-Za-z0-9]+$/)
              .describe('ID of the price.'),
            quantity: z.int().min(1).max(999).default(1).describe('Number of units.'),
            adjustable_quantity: z
              .object({
                enabled: z.boolean(),
                minimum: z.int().min(0).default(0),
                maximum: z.int().max(999).default(99),
              })
              .optional(),
          }),
        )
        .min(1)
        .max(20)
        .describe('What is paid for.'),
      after_completion: z
        .discriminatedUnion('type', [
          z.object({ type: z.literal('redirect'), url: z.url() }),
          z.object({ type: z.literal('hosted_confirmation'), message: z.string().max(500).optional() }),
        ])
        .optional()
        .describe('What customers see afterwards.'),
      metadata: metadata(),
    }),
    samples: [
      {
        line_items: [
          { price: 'price_1A2b', quantity: 2 },
          { price: 'price_3C', adjustable_quantity: { enabled: true } },
        ],
        after_completion: { type: 'redirect', url: 'https://example.com/thanks' },
      },
    ],
  },
  {
    name: 'create_invoice_item',
    description: 'Add an item to the next invoice of a customer.',
    fields: () => ({
      customer: customer(),
      amount: amount(),
      currency: currency(),
      description: z.string().max(500).optional().describe('Text that the customer sees.'),
      discountable: z.boolean().default(true).describe('Whether discounts apply.'),
    }),
    samples: [
      { customer: 'cus_N1', amount: 1999, description: 'Support' },
      { customer: 'cus_N2', amount: 50, currency: 'eur', discountable: false },
    ],
  },
  {
    name: 'list_subscriptions',
    description: 'List subscriptions, of one customer or of all of them.',
    fields: () => ({
      customer: customer().optional(),
      price: z.string().optional().describe('ID of the price.'),
      status: z
        .enum(['active', 'past_due', 'unpaid', 'canceled', 'incomplete', 'trialing', 'all'])
        .optional()
        .describe('Status of the subscriptions.'),
      limit: z.int().min(1).max(100).default(10).describe('Number of subscriptions to return.'),
    }),
    samples: [{ customer: 'cus_N1', status: 'active' }, { limit: 100 }],
  },
  {
    name: 'create_refund',
    description: 'Refund a payment, in whole or in part.',
    fields: () => ({
      payment_intent: z.string().startsWith('pi_').describe('ID of the payment.'),
      amount: amount().optional(),
      reason: z
        .enum(['duplicate', 'fraudulent', 'requested_by_customer'])
        .nullable()
        .default(null)
        .describe('Reason of the refund.'),
    }),
    samples: [{ payment_intent: 'pi_3N', amount: 500, reason: 'duplicate' }, { payment_intent: 'pi_4M' }],
  },
];
