// libssl and libcrypto 3.0, and the macros among their calls as functions: Swift imports no function-like macro.
#pragma once
#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <time.h>

// Contexts

static inline int cw_ctx_set_versions(SSL_CTX *context, int minimum, int maximum) {
    return SSL_CTX_set_min_proto_version(context, minimum) == 1 && SSL_CTX_set_max_proto_version(context, maximum) == 1;
}

static inline void cw_ctx_forbid_renegotiation(SSL_CTX *context) {
    (void)SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION);
}

/// No tickets and no cache. SSL_OP_NO_TICKET alone lets TLS 1.3 send tickets that name a session in the cache.
static inline void cw_ctx_forbid_resumption(SSL_CTX *context) {
    (void)SSL_CTX_set_options(context, SSL_OP_NO_TICKET);
    (void)SSL_CTX_set_num_tickets(context, 0);
    (void)SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
}

static inline int cw_ctx_add_chain_certificate(SSL_CTX *context, X509 *certificate) {
    return SSL_CTX_add1_chain_cert(context, certificate) == 1;
}

// Connections

static inline int cw_ssl_add_chain_certificate(SSL *ssl, X509 *certificate) {
    return SSL_add1_chain_cert(ssl, certificate) == 1;
}

static inline int cw_ssl_clear_chain(SSL *ssl) { return SSL_clear_chain_certs(ssl) == 1; }

static inline int cw_ssl_set_server_name(SSL *ssl, const char *name) { return SSL_set_tlsext_host_name(ssl, name) == 1; }

// Memory BIOs

/// A memory BIO that says "not yet" when it is empty, rather than "the end".
static inline BIO *cw_bio_new_memory(void) {
    BIO *bio = BIO_new(BIO_s_mem());
    if (bio != NULL) BIO_set_mem_eof_return(bio, -1);
    return bio;
}

// Keys and certificates

static inline EVP_PKEY *cw_key_new_p256(void) { return EVP_EC_gen("P-256"); }

static inline int cw_name_add(X509_NAME *name, const char *field, const unsigned char *text, int length) {
    return X509_NAME_add_entry_by_txt(name, field, MBSTRING_UTF8, text, length, -1, 0) == 1;
}

/// `value` is in the notation of openssl's x509v3_config(5).
static inline int cw_certificate_add_extension(X509 *certificate, X509 *issuer, int nid, const char *value) {
    X509V3_CTX context;
    X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
    X509V3_set_ctx_nodb(&context);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, nid, value);
    if (extension == NULL) return 0;
    int added = X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
    return added == 1;
}

/// Whole seconds since 1970, without the limits of ASN1_TIME_adj's day count.
static inline int cw_certificate_set_validity(X509 *certificate, int64_t not_before, int64_t not_after) {
    return ASN1_TIME_set(X509_getm_notBefore(certificate), (time_t)not_before) != NULL
        && ASN1_TIME_set(X509_getm_notAfter(certificate), (time_t)not_after) != NULL;
}

static inline STACK_OF(X509) *cw_certificates_new(void) { return sk_X509_new_null(); }

/// The stack takes a reference of its own.
static inline int cw_certificates_push(STACK_OF(X509) *stack, X509 *certificate) {
    if (X509_up_ref(certificate) != 1) return 0;
    if (sk_X509_push(stack, certificate) > 0) return 1;
    X509_free(certificate);
    return 0;
}

static inline void cw_certificates_free(STACK_OF(X509) *stack) { sk_X509_pop_free(stack, X509_free); }
