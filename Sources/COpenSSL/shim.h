// libssl and libcrypto 3.0, and the macros among their calls as functions: Swift imports no function-like macro.
#pragma once
#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/ocsp.h>
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

static inline void cw_ctx_allow_weak_keys(SSL_CTX *context) { SSL_CTX_set_security_level(context, 0); }

/// Tickets say that so much early data may come with them; a server that never reads it refuses it.
static inline int cw_ctx_invite_early_data(SSL_CTX *context, uint32_t bytes) {
    return SSL_CTX_set_max_early_data(context, bytes) == 1;
}

static inline void cw_ctx_set_staple_callback(SSL_CTX *context, int (*callback)(SSL *, void *)) {
    (void)SSL_CTX_set_tlsext_status_cb(context, callback);
}

static inline void cw_ctx_request_staple(SSL_CTX *context) {
    (void)SSL_CTX_set_tlsext_status_type(context, TLSEXT_STATUSTYPE_ocsp);
}

// Connections

/// The SSL object takes a copy.
static inline int cw_ssl_staple(SSL *ssl, const unsigned char *bytes, size_t count) {
    unsigned char *copy = OPENSSL_memdup(bytes, count);
    if (copy == NULL) return 0;
    if (SSL_set_tlsext_status_ocsp_resp(ssl, copy, (long)count) == 1) return 1;
    OPENSSL_free(copy);
    return 0;
}

/// Returns the number of bytes that the server has stapled; they live as long as `ssl`.
static inline long cw_ssl_stapled(SSL *ssl, const unsigned char **bytes) { return SSL_get_tlsext_status_ocsp_resp(ssl, bytes); }

static inline int cw_ssl_add_chain_certificate(SSL *ssl, X509 *certificate) {
    return SSL_add1_chain_cert(ssl, certificate) == 1;
}

static inline int cw_ssl_clear_chain(SSL *ssl) { return SSL_clear_chain_certs(ssl) == 1; }

static inline int cw_ssl_set_server_name(SSL *ssl, const char *name) { return SSL_set_tlsext_host_name(ssl, name) == 1; }

/// Suspends the handshake in the middle of a verification; the verification is repeated when the handshake continues.
static inline int cw_ssl_retry_verify(SSL *ssl) { return SSL_set_retry_verify(ssl) > 0; }

static inline SSL *cw_verification_ssl(X509_STORE_CTX *verification) {
    return X509_STORE_CTX_get_ex_data(verification, SSL_get_ex_data_X509_STORE_CTX_idx());
}

static inline int cw_certificates_count(STACK_OF(X509) *stack) { return stack == NULL ? 0 : sk_X509_num(stack); }

/// Belongs to the stack.
static inline X509 *cw_certificates_at(STACK_OF(X509) *stack, int index) { return sk_X509_value(stack, index); }

// Memory BIOs

/// A memory BIO that reports "not yet" when it is empty, rather than "the end".
static inline BIO *cw_bio_new_memory(void) {
    BIO *bio = BIO_new(BIO_s_mem());
    if (bio != NULL) BIO_set_mem_eof_return(bio, -1);
    return bio;
}

// Keys and certificates

static inline EVP_PKEY *cw_key_new_p256(void) { return EVP_EC_gen("P-256"); }

static inline EVP_PKEY *cw_key_new_rsa(unsigned int bits) { return EVP_RSA_gen(bits); }

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

// OCSP

/// A signed response about one certificate (RFC 6960 §4.2), in DER; 0 when it cannot be made. OPENSSL_free the bytes.
static inline int cw_ocsp_response(X509 *certificate, X509 *issuer, EVP_PKEY *key, int status, unsigned char **der) {
    OCSP_BASICRESP *basic = OCSP_BASICRESP_new();
    OCSP_CERTID *identifier = OCSP_cert_to_id(EVP_sha1(), certificate, issuer);
    ASN1_TIME *since = X509_gmtime_adj(NULL, -3600);
    ASN1_TIME *until = X509_gmtime_adj(NULL, 24 * 3600);
    OCSP_RESPONSE *response = NULL;
    int length = 0;
    int is_revoked = status == V_OCSP_CERTSTATUS_REVOKED;
    if (basic != NULL && identifier != NULL && since != NULL && until != NULL
        && OCSP_basic_add1_status(
               basic, identifier, status, is_revoked ? OCSP_REVOKED_STATUS_KEYCOMPROMISE : 0, is_revoked ? since : NULL, since, until)
            != NULL
        && OCSP_basic_sign(basic, issuer, key, EVP_sha256(), NULL, 0) == 1)
        response = OCSP_response_create(OCSP_RESPONSE_STATUS_SUCCESSFUL, basic);
    if (response != NULL) length = i2d_OCSP_RESPONSE(response, der);
    OCSP_RESPONSE_free(response);
    ASN1_TIME_free(since);
    ASN1_TIME_free(until);
    OCSP_CERTID_free(identifier);
    OCSP_BASICRESP_free(basic);
    return length > 0 ? length : 0;
}

static inline void cw_free(void *memory) { OPENSSL_free(memory); }

/// As in RFC 2253; OPENSSL_free the text.
static inline char *cw_certificate_subject(X509 *certificate) {
    BIO *memory = BIO_new(BIO_s_mem());
    if (memory == NULL) return NULL;
    char *text = NULL;
    if (X509_NAME_print_ex(memory, X509_get_subject_name(certificate), 0, XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB) >= 0) {
        char *bytes = NULL;
        long length = BIO_get_mem_data(memory, &bytes);
        text = OPENSSL_strndup(bytes, (size_t)length);
    }
    BIO_free(memory);
    return text;
}
